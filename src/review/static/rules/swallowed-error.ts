import type { Node } from "../node.ts";
import type { Hit, StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

export const swallowedError: StaticRule = {
  name: "swallowed-error",
  severity: "P3",
  kind: "reliability",
  languages: ["python", "script"],
  needs: /except|catch/,
  skipsTests: true,
  why: "Every failure, also the one nobody thought of, ends here without a trace: the program goes on with a state it does not have, and the cause cannot be found later.",
  fix: "Catch only the failure that is expected and say in a comment why it does not matter; let the others through, or report them.",
  check: (file) => (file.family === "python" ? python(file) : script(file)),
};

const python = function* (file: SourceFile): Generator<Hit> {
  for (const node of file.of("except_clause")) {
    const head = /^except([^:]*):/.exec(node.text)?.[1]?.trim() ?? "";
    const isBroad =
      head === "" || /^(\(?\s*)(Base)?Exception\b(\s+as\s+\w+|\s*,\s*\w+)?\)?$/.test(head);
    const body = node.named.find(({ kind }) => kind === "block");
    if (!isBroad || !body || !isEmpty(body) || isExplained(file, node)) continue;
    const tried = node.parent?.child("body");
    // `return` inside: one way of several, and what follows is the next.
    if (!tried || tried.below("return_statement").length > 0) continue;
    if (isTidyingUp(tried) || /__del__/.test(file.functionOf(node).text.slice(0, 60))) continue;
    yield {
      node,
      title:
        head === ""
          ? "a bare `except` swallows every error, also the wish to stop"
          : `\`except ${head}\` swallows every error`,
      // The bare one also takes the signal to end.
      severity: head === "" ? "P2" : "P3",
    };
  }
};

const script = function* (file: SourceFile): Generator<Hit> {
  for (const node of file.of("catch_clause")) {
    const body = node.child("body");
    const tried = node.parent?.child("body");
    if (!body || !tried || body.named.length > 0 || isExplained(file, node)) continue;
    // Where something is only looked at, the failure is an answer; where something is changed, it is a loss.
    if (!changes.test(tried.text) || isTidyingUp(tried)) continue;
    yield { node, title: "an empty `catch` swallows a failed change" };
  }
};

const changes =
  /\b(writeFile(Sync)?|appendFile(Sync)?|rename(Sync)?|copyFile(Sync)?|mkdir(Sync)?|save|commit|insert|update|publish|upload|execSync|execute|setItem|postMessage)\(/;

const isExplained = (file: SourceFile, node: Node): boolean =>
  file.hasRemark(node) || (node.parent !== undefined && file.hasRemark(node.parent));

const isEmpty = (body: Node): boolean =>
  body.named.every(({ kind, text }) => kind === "pass_statement" || text === "...");

/** One or two calls that only clean up, or an import that may be absent. */
const isTidyingUp = (tried: Node): boolean =>
  tried.named.length <= 2 &&
  tried.named.every(
    ({ kind, text }) =>
      kind.startsWith("import") ||
      /(^|[._ ])(close|unlink|remove|rm|rmtree|rmdir|kill|terminate|destroy|end|dispose|disconnect|shutdown|stop|cancel|release|abort|cleanup|del|log|print|debug|warn)\w*\(|^del /i.test(
        text,
      ),
  );
