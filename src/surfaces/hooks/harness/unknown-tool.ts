/**
 * Tools that are not known here. With a file and something to put into it, one is a tool that writes. Tools of
 * other people's MCP servers are known by the shape of their arguments (D10): what writes local files is judged
 * like any write, what only may do so is looked at afterwards.
 */
import type { Payload } from "../read-payload.ts";
import type { TextEdit, ToolUse } from "../types.ts";
import { absolute, hasField, isOwnTool } from "./fields.ts";

export const unknownTool = (name: string, input: Payload, cwd: string): ToolUse => {
  if (isOwnTool(name)) return { kind: "other", name };
  if (/^mcp[_:]/i.test(name)) return foreignTool(name, input, cwd);
  const file = stringIn(input, ["file_path", "filePath", "notebook_path", "path", "target_file"]);
  if (file === undefined || !hasField(input, ...contentNames)) return { kind: "other", name };
  return { kind: "unknown-write", files: [absolute(file, cwd)], name };
};

const contentNames = [
  ...["content", "contents", "file_text", "new_string", "newString", "new_str", "new_source"],
  ...["edits", "replacements", "patch", "diff", "code", "code_edit", "newCode"],
];

/** `name` is what the client calls it, with the server's name in front. */
export const foreignTool = (name: string, input: Payload, cwd: string): ToolUse => {
  const other: ToolUse = { kind: "other", name, isForeign: true };
  if (hasField(input, ...remoteNames) || input["dryRun"] === true) return other;
  const command = stringIn(input, ["command", "cmd"]);
  if (command !== undefined && shellName.test(name)) {
    return { kind: "shell", command, shell: "posix", name };
  }
  const from = stringIn(input, ["source", "from", "oldPath", "old_path", "source_path"]);
  const to = stringIn(input, ["destination", "to", "newPath", "new_path", "destination_path"]);
  if (from !== undefined && to !== undefined && /move|rename/i.test(name)) {
    return { kind: "move", file: absolute(from, cwd), to: absolute(to, cwd), name };
  }
  const many = listIn(input, "files").flatMap((one) => stringIn(one, pathNames) ?? []);
  if (many.length > 0 && writeName.test(name)) {
    return { kind: "unknown-write", files: many.map((path) => absolute(path, cwd)), name };
  }
  const path = stringIn(input, pathNames);
  // An address, or a name in a store of its own.
  if (path === undefined || path === "" || /^\w[\w+.-]+:\/\//.test(path)) return other;
  const file = absolute(path, cwd);
  const edits = editsIn(input);
  if (edits.length > 0) return { kind: "replace", file, edits, exact: false, name };
  const content = stringIn(input, ["content", "contents", "file_text", "text", "data"]);
  if (content === undefined) return withoutContent(name, input, file) ?? other;
  if (!writeName.test(name) && !path.startsWith("/")) return other;
  const isPart = /append|insert|patch|edit/i.test(name) || /append/i.test(String(input["mode"]));
  return isPart
    ? { kind: "unknown-write", files: [file], name }
    : { kind: "write", file, content, name };
};

const withoutContent = (name: string, input: Payload, file: string): ToolUse | undefined => {
  if (/(?:delete|remove)_?(?:file|path)$/i.test(name)) return { kind: "delete", file, name };
  if (/(?:read|view|open)_?(?:text_?)?file$/i.test(name)) return { kind: "read", file, name };
  const isWrite = hasField(input, ...contentNames) && writeName.test(name);
  return isWrite ? { kind: "unknown-write", files: [file], name } : undefined;
};

const pathNames = [
  ...["path", "file_path", "filePath", "filepath", "file", "target_file", "absolute_path"],
  ...["pathInProject", "relative_path", "filename"],
];
/** It writes elsewhere: a forge, a bucket, a page of a wiki. */
const remoteNames = [
  ...["owner", "repo", "repository", "project_id", "projectId", "branch", "sha", "bucket"],
  ...["url", "page_id", "pageId", "database_id", "parent_id", "space", "documentId", "ref"],
];
const writeName = /write|edit|create|save|replace|insert|append|update|patch|put/i;
const shellName =
  /(?:^|[_:-])(?:bash|shell|exec(?:ute)?(?:_(?:command|shell))?|run_(?:shell_)?command|start_process)$/i;

const editsIn = (input: Payload): readonly TextEdit[] => {
  const list = listIn(input, "edits");
  return (list.length > 0 ? list : [input]).flatMap((one) => {
    const old = stringIn(one, ["oldText", "old_text", "old_string", "old_str", "oldString"]);
    const fresh = stringIn(one, ["newText", "new_text", "new_string", "new_str", "newString"]);
    if (old === undefined || fresh === undefined) return [];
    const all = one["replace_all"] === true || one["replaceAll"] === true;
    return [{ old, new: fresh, all }];
  });
};

/** A field of another type than expected is a server's own way: nothing is known of it. */
const stringIn = (from: Payload, names: readonly string[]): string | undefined =>
  names
    .map((name) => (Object.hasOwn(from, name) ? from[name] : undefined))
    .find((value) => typeof value === "string" && !value.includes("\0")) as string | undefined;

const listIn = (from: Payload, name: string): readonly Payload[] => {
  const value: unknown = Object.hasOwn(from, name) ? from[name] : undefined;
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Payload => typeof one === "object" && one !== null);
};
