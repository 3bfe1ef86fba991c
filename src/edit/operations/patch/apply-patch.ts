import { HeadgateError } from "../../../errors.ts";
import type { WorkingFiles } from "../working-files.ts";
import { isEnvelope, readEnvelope } from "./envelope.ts";
import type { FilePatch } from "./file-patch.ts";
import { applyHunks } from "./hunks.ts";
import { readUnified } from "./unified.ts";

/** Both forms; every file of the patch, in its order. */
export const applyPatchText = (patch: string, files: WorkingFiles): void => {
  for (const one of isEnvelope(patch) ? readEnvelope(patch) : readUnified(patch)) apply(one, files);
};

const apply = (patch: FilePatch, files: WorkingFiles): void => {
  if (patch.do === "create") {
    return files.create(patch.path, Buffer.from(patch.content, "utf8"), patch.mode);
  }
  if (patch.do === "delete") {
    refuseOtherContent(patch, files);
    return files.delete(patch.path);
  }
  const { path, hunks, to = path } = patch;
  const file = files.readText(path);
  if (hunks.length > 0) files.writeText(file, applyHunks(path, file.source, hunks));
  if (to === path) return;
  const content = files.read(path);
  files.create(to, content);
  files.delete(path);
};

/** A diff that deletes a file shows what it had. */
const refuseOtherContent = (
  { path, hunks }: Extract<FilePatch, { do: "delete" }>,
  files: WorkingFiles,
): void => {
  const { source } = files.readText(path);
  if (hunks.length === 0 || applyHunks(path, source, hunks) === "") return;
  throw new HeadgateError(
    "PATCH_MISMATCH",
    `The patch deletes ${path} but shows only a part of what it has now.`,
    { data: { path } },
  );
};
