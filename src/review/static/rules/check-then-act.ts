import type { Call } from "../calls.ts";
import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";

export const checkThenAct: StaticRule = {
  name: "check-then-act",
  severity: "P2",
  kind: "concurrency",
  languages: ["python", "script", "go"],
  needs: /exists|isfile|isdir|is_file|is_dir|accessSync|os\.access|os\.Stat|os\.Lstat/,
  skipsTests: true,
  why: "Between the question and the act another process can create or remove the file: the act then fails, or overwrites what the other one wrote.",
  fix: "Do it and handle the error: create with `x`/`wx`/O_EXCL, `makedirs(exist_ok=True)`, `mkdir({recursive: true})`, remove and ignore only ENOENT.",
  *check(file) {
    for (const node of file.of("if_statement")) {
      const condition = node.child("condition");
      const body = node.child("consequence");
      if (!condition || !body) continue;
      const asked = file.calls.find(
        (call) =>
          (call.node.isWithin(condition) ||
            call.node.isWithin(node.child("initializer") ?? condition)) &&
          isQuestion(call),
      );
      const subject = asked && subjectOf(asked);
      if (!subject || isGuarded(node)) continue;
      const isAbsent =
        file.family === "go"
          ? /IsNotExist|ErrNotExist/.test(condition.text)
          : /^\(?\s*(not\b|!)/.test(condition.text);
      for (const call of file.callsWithin(body)) {
        const act = isAct(call, isAbsent);
        if (act === undefined || subjectOf(call) !== subject || isGuarded(call.node, node))
          continue;
        yield {
          node,
          title: `\`${subject.slice(0, 40)}\` is looked for first and then ${act}`,
          severity: act === "written" ? "P2" : "P3",
        };
        break;
      }
    }
  },
};

const isQuestion = (call: Call): boolean =>
  /^((os\.path|path|osp|fs|fse)\.)?(exists|existsSync|isfile|isdir|lexists|accessSync|pathExists)$|^os\.(access|Stat|Lstat)$/.test(
    call.callee,
  ) ||
  (/^(exists|is_file|is_dir)$/.test(call.name) && call.args.length === 0 && call.receiver !== "");

/** What a call is about: its first argument, or the path object before the dot. */
const subjectOf = (call: Call): string | undefined =>
  call.args[0] && !/^(mkdir|unlink|rmdir|touch|write_text|exists|is_file|is_dir)$/.test(call.name)
    ? call.args[0].text
    : call.receiver === "os" || call.receiver === "fs"
      ? call.args[0]?.text
      : call.args.length === 0 || !/^(exists|unlink|mkdir)$/.test(call.name)
        ? call.receiver || call.args[0]?.text
        : call.args[0]?.text;

/** What the call does to a file, when it goes wrong if somebody was faster. */
const isAct = (call: Call, isAbsent: boolean): string | undefined => {
  const text = call.node.text;
  if (!isAbsent)
    return /^((os|fs|fse)\.)?(remove|unlink|unlinkSync|rmdir|rmdirSync|removedirs)$|^os\.Remove$/.test(
      call.callee,
    ) ||
      (/^(unlink|rmdir)$/.test(call.name) && call.args.length === 0)
      ? "removed"
      : undefined;
  if (
    /^((os|fs)\.)?(mkdir|makedirs|mkdirSync)$|^os\.Mkdir$/.test(call.callee) ||
    (call.name === "mkdir" && call.args.length === 0)
  )
    return /exist_ok\s*=\s*True|recursive:\s*true|recursive\s*[,}]/.test(text)
      ? undefined
      : "created";
  if (/^((fs|fsp)\.)?(writeFile|writeFileSync)$/.test(call.callee))
    return /flag:\s*["'`]a?[wx]*x/.test(text) ? undefined : "written";
  if (call.callee === "open" || call.callee === "io.open") {
    const mode = (call.args[1] ?? call.named.get("mode"))?.text ?? "";
    return /^['"]w/.test(mode) ? "written" : undefined;
  }
  return /^os\.(WriteFile|Create)$|^ioutil\.WriteFile$/.test(call.callee) ? "written" : undefined;
};

/** Somebody handles the failure, or holds a lock. */
const isGuarded = (node: Node, within?: Node): boolean => {
  for (let at = node.parent; at && at !== within; at = at.parent) {
    const tried = at.kind === "try_statement" ? at.child("body") : undefined;
    if (tried && node.isWithin(tried)) return true;
    if (
      at.kind === "with_statement" &&
      /lock|suppress/i.test(at.text.slice(0, 200).split("\n")[0] ?? "")
    )
      return true;
  }
  return false;
};
