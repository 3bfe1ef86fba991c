export function makeRunFolder(options?: { readonly isOnDisk?: boolean }): string;
export function removeLeftovers(
  folder: string,
  options?: {
    readonly graceMs?: number;
    readonly patienceMs?: number;
    readonly sayWaiting?: (processes: readonly string[]) => void;
  },
): Promise<string[]>;
