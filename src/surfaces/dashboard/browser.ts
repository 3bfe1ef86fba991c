/** What the page takes from the browser besides the network: time, timers, what is remembered. */
export const nowMs = (): number => Date.now();

/** Returns how to call it off. */
export const after = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

export const every = (ms: number, work: () => void): (() => void) => {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
};

export const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    after(ms, done);
  });

/** Storage may be switched off; then things are remembered as long as the page is open. */
export const remembered = (storage: () => Storage, name: string) => {
  let own: string | null = null;
  return {
    get: (): string | null => {
      try {
        return storage().getItem(name) ?? own;
      } catch {
        return own;
      }
    },
    set: (value: string | null): void => {
      own = value;
      try {
        if (value === null) storage().removeItem(name);
        else storage().setItem(name, value);
      } catch {
        // Kept above.
      }
    },
  };
};
