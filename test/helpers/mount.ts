import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";

/** Runs a program to its end; its output, or an error with what it said. */
export const runProgram = (file: string, ...args: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
};

/** Mounts, and unmounts when the test ends. */
export const mount = (folder: string, ...args: string[]): void => {
  runProgram("mount", ...args, folder);
  onTestFinished(() => unmount(folder));
};

export const unmount = (folder: string): void => {
  runProgram("umount", "--lazy", folder);
};
