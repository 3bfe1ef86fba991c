/** Behind the `#`, where no server, log or Referer sees it. */
export const dashboardLink = (address: string, key: string): string => `${address}/#key=${key}`;
