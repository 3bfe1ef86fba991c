import type { Git } from "./reading-git.ts";
import { limits } from "../base/limits.ts";

/** The contents of these objects, by name; what is no blob or not there is left out. */
export const readBlobBatch = async (
  git: Git,
  names: readonly string[],
  into: Map<string, Buffer>,
): Promise<void> => {
  const { stdout } = await git.run({
    args: ["cat-file", "--batch"],
    input: `${names.join("\n")}\n`,
    outputBytesMax: limits.mineOutputBytesMax,
  });
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(10, at);
    const [name = "", kind, size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === undefined) continue;
    if (kind === "blob") into.set(name, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
};
