export function makeRunFolder(options?: { readonly isOnDisk?: boolean }): string;
export function removeLeftovers(
  folder: string,
  options?: { readonly graceMs?: number },
): Promise<string[]>;
