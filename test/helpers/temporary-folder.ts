import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Takes what has to be ended or removed: with the test, or with what shares it. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** For scenes that the tests of a file or a describe share: call it there, not in a test. */
export const atSharedEnd = (): AtEnd => {
  const ends: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return (end) => void ends.push(end);
};

const fileEnds: (() => void | Promise<void>)[] = [];

/**
 * When the running test file is over, for what its helpers made once. Their modules may serve several files in
 * one process, so that an `afterAll` of their own would be that of the first file only.
 */
export const atFileEnd: AtEnd = (end) => void fileEnds.push(end);

/** Called by file-end.ts after every file. */
export const endFile = async (): Promise<void> => {
  for (const end of fileEnds.splice(0).toReversed()) await end();
};

/** An empty folder with its real path, removed when the test ends. */
export const temporaryFolder = (atEnd: AtEnd = onTestFinished): string => {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "headgate-test-")));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
};

/** The same, under `.headgate`: what lies there is known as state, and recovery may set it aside. */
export const temporaryStateFolder = (): string => {
  const folder = join(temporaryFolder(), ".headgate");
  mkdirSync(folder);
  return folder;
};

/** Writes a file and the folders above it; returns its path. */
export const put = (path: string, content = ""): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
