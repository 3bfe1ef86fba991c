import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder with its real path, removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "headgate-test-")));
  onTestFinished(() =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  );
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
