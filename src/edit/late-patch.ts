/** The change of a late write, kept as a patch: its author can apply it again, others can apply it in reverse. */
import { isAbsolute, join, relative, sep } from "node:path";
import { systemFiles } from "../base/files.ts";
import { removeFile } from "../base/open-file.ts";
import { writeFileAtomicSync } from "../state/index.ts";
import { unifiedDiff } from "./diff.ts";

/** Where it is, as one would write it in the worktree. */
export const keepLatePatch = (
  { worktree, localDir }: { readonly worktree: string; readonly localDir: string },
  id: string,
  {
    path,
    before,
    after,
  }: { readonly path: string; readonly before: Uint8Array; readonly after: Uint8Array },
): string => {
  const folder = join(localDir, "late");
  systemFiles.makeDirectory(folder, 0o700);
  const change = {
    path,
    kind: "modify",
    before: Buffer.from(before),
    after: Buffer.from(after),
  } as const;
  const file = join(folder, `${id}.patch`);
  writeFileAtomicSync(file, unifiedDiff([change]), { durability: "required" });
  dropOldest(folder);
  const short = relative(worktree, file);
  // Linked worktrees share the folder of the first one.
  const isInside = !isAbsolute(short) && !short.startsWith(`..${sep}`);
  return isInside ? short : file;
};

/** Late writes are rare; the newest of them are kept. */
const patchesMax = 100;

const dropOldest = (folder: string): void => {
  const names = systemFiles
    .list(folder)
    .flatMap(({ name }) => (name.endsWith(".patch") ? [name] : []));
  if (names.length <= patchesMax) return;
  const aged = names.map((name) => ({
    name,
    at: systemFiles.stat(join(folder, name))?.mtimeMs ?? 0,
  }));
  const oldest = aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - patchesMax);
  for (const { name } of oldest) removeFile(systemFiles, join(folder, name));
};
