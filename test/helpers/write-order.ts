import type { TracedCall } from "./strace.ts";

/**
 * The rule of a durable replacement, checked on a trace: everything is written before the temporary is
 * synced, that comes before it gets its final name, and the folder is synced behind that. Returns what
 * is broken.
 */
export const orderViolations = (
  calls: readonly TracedCall[],
  options: { readonly folder: string },
): string[] => {
  const lastOf = (name: string, part: string): number =>
    calls.findLastIndex((call) => call.name === name && call.text.includes(part));
  const write = lastOf("write", ".tmp>");
  const fileSync = lastOf("fsync", ".tmp>");
  const naming = Math.max(lastOf("rename", ".tmp"), lastOf("link", ".tmp"));
  const folderSync = lastOf("fsync", `<${options.folder}>`);
  const violations: string[] = [];
  if (write === -1) violations.push("nothing was written to a temporary");
  if (naming === -1) violations.push("no temporary was given the final name");
  if (fileSync < write || fileSync === -1) violations.push("the content was not synced");
  if (fileSync > naming) violations.push("the content was synced behind the rename");
  if (folderSync < naming) violations.push("the folder was not synced behind the rename");
  return violations;
};
