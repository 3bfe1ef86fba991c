/**
 * Codex CLI: Claude Code's words with stricter answers (an unknown field makes its hook count as failed, and
 * the tool runs), one tool that writes files, and a shell that knows it, too.
 */
import { resolve } from "node:path";
import type { Payload } from "../read-payload.ts";
import type { ToolUse } from "../types.ts";
import { claudeDialect, claudeTool } from "./claude.ts";
import { absolute, invalidField, neededText, textOf, textsOf } from "./fields.ts";

const toolOf = (name: string, input: Payload, cwd: string): ToolUse => {
  if (name === "apply_patch") return { kind: "patch", patch: patchIn(input), folder: cwd, name };
  if (!shellTools.has(name)) return claudeTool(name, input, cwd);
  const command = commandIn(input);
  const place = textOf(input, "workdir");
  const folder = place === undefined ? cwd : absolute(place, cwd);
  const carried = patchInCommand(command, folder);
  if (carried) return { kind: "patch", ...carried, name };
  return { kind: "shell", command, shell: "posix", name };
};

const shellTools = new Set(["Bash", "shell", "local_shell", "exec_command"]);

const patchIn = (input: Payload): string => neededText(input, "command", "input", "patch");

/** One text, or the words of a call: `["bash", "-lc", "…"]`. */
const commandIn = (input: Payload): string => {
  for (const name of ["command", "cmd"]) {
    if (!Array.isArray(input[name])) continue;
    const words = textsOf(input, name) ?? [];
    const [program = "", flag = "", script] = words;
    if (/(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag) && script !== undefined) {
      return script;
    }
    if (words.length === 0) throw invalidField(name, "is empty");
    return words.map(quoted).join(" ");
  }
  return neededText(input, "command", "cmd");
};

const quoted = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** `apply_patch <<'EOF'` alone in a command, behind a `cd` at most: Codex takes it for its own tool. */
const patchInCommand = (
  command: string,
  cwd: string,
): { readonly patch: string; readonly folder: string } | undefined => {
  const found = heredoc.exec(command.trim());
  if (!found) {
    const word = /^apply_patch\s+'(\*\*\* Begin Patch\n[^']*)'$/.exec(command.trim())?.[1];
    return word === undefined ? undefined : { patch: word, folder: cwd };
  }
  const [, quotedFolder, plainFolder, , patch = ""] = found;
  return { patch, folder: resolve(cwd, quotedFolder ?? plainFolder ?? ".") };
};

const heredoc =
  /^(?:cd\s+(?:["']([^"'$`\\]+)["']|([\w./@+-]+))\s*&&\s*)?(?:apply_patch|applypatch)\s*<<-?\s*["']?(\w+)["']?\n([\s\S]*?)\n\3$/;

export const codex = claudeDialect("codex", toolOf);
