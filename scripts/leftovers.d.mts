export function makeRunFolder(): string;
export function removeLeftovers(
  folder: string,
  options?: { readonly graceMs?: number },
): Promise<string[]>;
