/**
 * The way from a call to the repository. Over standard input it is opened by the first call that needs
 * it, and again after a failure: a client starts its servers before there is a repository, and does not
 * start them again when the store has been repaired.
 */
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";

export interface Doorway {
  /** Throws what opening throws: REPOSITORY_NOT_FOUND, CONFIG_…, and what `work` throws. */
  use<T>(work: (headgate: Headgate) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The server's own: it stays open whatever happens to a call. */
export const openDoorway = (headgate: Headgate): Doorway => ({
  use: (work) => work(headgate),
  close: async () => {},
});

interface Opened {
  readonly headgate: Promise<Headgate>;
  users: number;
  isLeft: boolean;
}

export const lazyDoorway = (open: () => Promise<Headgate>): Doorway => {
  let current: Opened | undefined;
  const closings = new Set<Promise<void>>();

  /** Closed when its last user has left, because others may be in the middle of a call. */
  const leave = (opened: Opened): void => {
    if (current === opened) current = undefined;
    opened.isLeft = true;
    if (opened.users === 0) finish(opened);
  };
  const finish = (opened: Opened): void => {
    const closing = opened.headgate.then(
      (headgate) => headgate.close(),
      // Whoever asked for it was told why it did not open.
      () => {},
    );
    closings.add(closing);
    void closing.finally(() => closings.delete(closing)).catch(() => {});
  };

  return {
    use: async (work) => {
      const opened = (current ??= { headgate: open(), users: 0, isLeft: false });
      opened.users += 1;
      try {
        return await work(await opened.headgate);
      } catch (error) {
        if (mayBeRepaired(error)) leave(opened);
        throw error;
      } finally {
        opened.users -= 1;
        if (opened.isLeft && opened.users === 0) finish(opened);
      }
    },
    close: async () => {
      if (current) leave(current);
      await Promise.allSettled(closings);
    },
  };
};

/** A handle that failed stays failed; somebody may have mended what it stands for. */
const mayBeRepaired = (error: unknown): boolean =>
  !HeadgateError.isInstance(error) ||
  ["unavailable", "internal"].includes(error.entry.kind) ||
  /^(?:REPOSITORY|CONFIG|STORE|GIT)_/.test(error.code);
