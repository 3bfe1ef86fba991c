/** An address without its passwords: in the user part and in the query. File paths stay as they are. */
export const maskSecret = (address: string): string => {
  if (!address.includes("://")) return address;
  if (!URL.canParse(address)) return "(hidden)";
  const url = new URL(address);
  if (url.password !== "") url.password = "***";
  for (const name of url.searchParams.keys()) {
    if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, "***");
  }
  return url.href;
};
