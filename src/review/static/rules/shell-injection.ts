import { type Call, optionOf } from "../calls.ts";
import type { Node } from "../node.ts";
import type { Hit, StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { requestDataIn } from "../request-data.ts";
import { assignedBefore, builtHere, builtText, exactly, literalOf } from "../texts.ts";

export const shellInjection: StaticRule = {
  name: "shell-injection",
  severity: "P2",
  kind: "security",
  languages: ["python", "script", "go", "bash"],
  needs: /system|popen|shell|getoutput|child_process|exec\.Command|\bsh\b|bash/i,
  skipsTests: true,
  why: "A shell reads the whole text: a value with a quote, a blank, `;` or `$(…)` in it runs as a command.",
  fix: "Pass the program and its arguments as a list and start no shell; where a shell is needed, pass the value as an argument or quote it with the library's function.",
  check: (file) => checks[file.family](file),
};

const title = "a shell command is put together from text and values";

const python = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    const isShell = optionOf(call, "shell")?.text === "True";
    const takesText =
      /^(os\.system|os\.popen|popen2?|(subprocess|commands)\.get(status)?output)$/.test(
        call.callee,
      ) || isShell;
    if (!takesText) continue;
    const command = call.args[0] ?? call.named.get("args") ?? call.named.get("command");
    const hit = riskIn(command, file, call);
    if (hit) yield hit;
  }
};

const script = function* (file: SourceFile): Generator<Hit> {
  if (!file.text.includes("child_process")) return;
  for (const call of file.calls) {
    const isExec =
      /^(exec|execSync|execAsync|execPromise)$/.test(call.name) &&
      /^(|cp|childProcess|child_process|child|proc)$/.test(call.receiver);
    const shell = optionOf(call, "shell");
    const isSpawn =
      /^(spawn|spawnSync|execFile|execFileSync)$/.test(call.name) &&
      shell !== undefined &&
      shell.text !== "false";
    const hit = isExec || isSpawn ? riskIn(call.args[0], file, call) : undefined;
    if (hit) yield hit;
  }
};

const go = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    const from = { "exec.Command": 0, "exec.CommandContext": 1 }[call.callee];
    if (from === undefined) continue;
    const [program, flag, command] = call.args.slice(from);
    const isShell = /^(\/bin\/|\/usr\/bin\/)?(ba|z|da|k)?sh$/.test(literalOf(program) ?? "");
    const isText = isShell && /^-\w*c$/.test(literalOf(flag) ?? "");
    const hit = isText ? riskIn(command, file, call) : undefined;
    if (hit) yield hit;
  }
};

const bash = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    if (!/^(ba|z|da|k)?sh$/.test(call.name)) continue;
    const at = call.args.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
    const command = at < 0 ? undefined : call.args[at + 1];
    const built = builtText(command);
    // Only a value inside other text can break out of its place; `sh -c "$*"` means what it says.
    if (
      built &&
      !built.holes.every(
        (hole) =>
          isQuoted(hole) ||
          /^\$[{(]?[@*#?$0-9]|^\$\{?[A-Z_]+\}?$|^\$\w*(DIR|dir|ROOT|HOME|PWD|PID|pid)\}?$/.test(
            hole.text,
          ),
      )
    )
      yield { node: call.node, title };
  }
};

const checks = { python, script, go, bash };

const riskIn = (command: Node | undefined, file: SourceFile, call: Call): Hit | undefined => {
  const built = builtHere(command, file.functionOf(call.node));
  if (!built) return undefined;
  const scope = file.functionOf(call.node);
  const risky = built.holes.filter((hole) => !isQuoted(hole) && !isOwnText(hole, call.node, scope));
  if (risky.length === 0) return undefined;
  const isSent = risky.some((hole) => requestDataIn(hole, file) !== undefined);
  return { node: call.node, title, severity: isSent ? "P1" : "P2" };
};

/** A name that was given a literal, a temporary file's name, or a whole command, which is meant as one. */
const isOwnText = (hole: Node, use: Node, scope: Node): boolean => {
  if (/^(\w+\.)*_?(cmd|command|commandstring|cmdline|args|editor|pager|shell)s?$/i.test(hole.text))
    return true;
  if (hole.kind !== "identifier") return false;
  const value = assignedBefore(hole.text, use, scope);
  if (value)
    return literalOf(value) !== undefined || /mkstemp|NamedTemporaryFile|mktemp/.test(value.text);
  return new RegExp(
    `\\b${exactly(hole.text)}\\b[^\\n=]*=[^\\n]*mkstemp|NamedTemporaryFile\\([^\\n]*as ${exactly(hole.text)}\\b`,
  ).test(scope.text);
};

/** Quoted for the shell, a number, or the program itself. */
const isQuoted = (hole: Node): boolean =>
  /quote|escape|%q|@Q|sys\.executable|execPath|^(len|int|str\(int|Number|parseInt|JSON\.stringify|os\.getpid)\b|\.pid$|^pid$/i.test(
    hole.text,
  );
