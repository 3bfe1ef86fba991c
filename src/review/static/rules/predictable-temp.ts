import type { Hit, StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { literalOf } from "../texts.ts";

export const predictableTemp: StaticRule = {
  name: "predictable-temp",
  severity: "P2",
  kind: "security",
  languages: ["python", "script", "go", "bash"],
  needs: /tmp|mktemp|temp/i,
  skipsTests: true,
  why: "Anybody on the machine can put a link or a file of that name there first and decide what is overwritten or read; two runs at once write over each other.",
  fix: "Let the system choose and create: `mkstemp`/`NamedTemporaryFile`, `fs.mkdtemp`, `os.CreateTemp`, `mktemp`.",
  check: (file) => (file.family === "bash" ? bash(file) : other(file)),
};

const fixed = /^["']?\/(var\/)?tmp\/[\w.${}/-]+["']?$/;

const bash = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    if (call.name === "mktemp" && call.args.some(({ text }) => /^-[a-z]*u$|^--dry-run$/.test(text)))
      yield { node: call.node, title: "`mktemp -u` gives a name, not a file" };
  }
  for (const node of file.of("file_redirect")) {
    const target = node.child("destination");
    if (!target || !node.children.some(({ kind }) => /^'(>|>>|&>|>\|)$/.test(kind))) continue;
    if (
      fixed.test(target.text) &&
      !/mktemp/.test(target.text) &&
      !isMadeDir(target.text, file.text)
    )
      yield {
        node,
        title: `\`${target.text.slice(0, 40)}\` is a name that anybody can take first`,
      };
  }
};

/** The script makes that folder itself; mkdir without -p fails if it is there. */
const isMadeDir = (target: string, text: string): boolean => {
  const folder = /\/tmp\/([\w.-]+)\//.exec(target)?.[1];
  return (
    folder !== undefined &&
    new RegExp(`mkdir (?!-p)[^\\n]*${folder.replaceAll(".", "\\.")}`).test(text)
  );
};

const other = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    if (
      call.callee === "tempfile.mktemp" ||
      (call.callee === "mktemp" && /from tempfile import/.test(file.text))
    ) {
      // Pipes of Windows have no files; a folder that is given may be one's own.
      if (!call.named.has("dir") && !/pipe/.test(call.node.text))
        yield { node: call.node, title: "`tempfile.mktemp` gives a name, not a file" };
      continue;
    }
    const path = call.args[0];
    const text = literalOf(path);
    if (
      text !== undefined &&
      fixed.test(text) &&
      isWrite(call.callee, call.args[1]?.text ?? call.named.get("mode")?.text ?? "")
    )
      yield {
        node: call.node,
        title: `\`${text.slice(0, 40)}\` is a name that anybody can take first`,
      };
    const isJoin = /^((path|os\.path|filepath)\.)?(join|Join)$/.test(call.callee);
    if (!isJoin || !path || !/^((os|tempfile)\.)?(tmpdir|gettempdir|TempDir)\(\)$/.test(path.text))
      continue;
    const rest = call.args
      .slice(1)
      .map((arg) => arg.text)
      .join(" ");
    if (
      /Date\.now|process\.pid|os\.getpid|time\.time|Getpid|time\.Now/.test(rest) &&
      !/random|uuid|nonce|hex/i.test(rest)
    )
      yield {
        node: call.node,
        title: "a temporary name is made from the time or the process number",
      };
  }
};

const isWrite = (callee: string, mode: string): boolean =>
  /^((fs|fsp|fs\.promises)\.)?(writeFile|writeFileSync|createWriteStream|appendFileSync)$|^os\.(Create|WriteFile)$|^ioutil\.WriteFile$/.test(
    callee,
  ) ||
  (/^(open|io\.open|fs\.openSync)$/.test(callee) && /^['"][wa]/.test(mode));
