import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../../src/surfaces/cli/command-table.ts";
import { textWidth } from "../../../src/surfaces/cli/text-width.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { runAtTerminal, type TerminalRun } from "../../helpers/terminal.ts";

const longReason = "the totals are rounded once per line today and once per order from now on";

interface Screen {
  readonly words: readonly string[];
  /** What must be readable whole, however narrow the terminal: breaks count as spaces. */
  readonly says: readonly (string | RegExp)[];
  readonly code?: number;
}

const screen = (line: string, ...says: (string | RegExp)[]): Screen => ({
  words: wordsIn(line),
  says,
});
const failing = (code: number, line: string, ...says: (string | RegExp)[]): Screen => ({
  ...screen(line, ...says),
  code,
});
const wordsIn = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

const code =
  "def total(cart):\n    return sum(line.price * line.count for line in cart.lines) + cart.fee\n";

/** In one repository, in this order: what one changes, the next shows. */
const screens: readonly Screen[] = [
  screen("", "headgate help  every command and option, guides and exit codes"),
  screen("help", "69 store or system unavailable"),
  screen("help claim", "headgate claim TARGET… [--reason TEXT]"),
  screen("help gate", "About gate"),
  screen("status", "none set up  (headgate init)"),
  failing(1, "doctor", "Run `headgate init`.", "1 problem, 1 warning"),
  screen(
    "init --client claude --dry-run",
    "+## Headgate",
    /in a command … is the same script each time/,
    "not shown, code that comes with Headgate: .headgate/hook",
  ),
  screen(
    "init --client claude --yes",
    "done  Claude Code: every edit of a new session passes the gate",
  ),
  screen("doctor", "all good"),
  screen("status", "Claude Code installed"),
  screen(
    `claim src/shop/orders.py --as alice --reason '${longReason}'`,
    "claimed  src/shop/orders.py",
  ),
  failing(
    1,
    "claim src/shop/orders.py --as bob",
    longReason,
    "headgate claim src/shop/orders.py --as bob --wait 60s",
    /headgate ask cl_\w+ 'why I need it' --as bob/,
    "[CLAIM_CONFLICT]",
  ),
  screen("claims", "src/shop/orders.py", "alice"),
  screen("claims --as bob", "src/shop/orders.py", "alice"),
  failing(1, "check src/shop/orders.py --as bob", "held by  alice"),
  screen(
    "ask src/shop/orders.py 'two lines' --as bob",
    "asked alice to release src/shop/orders.py",
  ),
  screen("inbox --as alice", "two lines"),
  screen("tell alice 'the tests are green again' --as bob", "alice"),
  screen("claim src/nope.py --as alice", "src/nope.py does not exist yet"),
  failing(4, "release cl_nope", "there is no claim cl_nope", "[CLAIM_UNKNOWN]"),
  failing(2, "release --ask src --as bob", 'as `headgate check TARGET` shows it; got "src"'),
  screen("transfer --all --to carol --as alice", "carol"),
  screen("renew --as carol", "src/shop/orders.py"),
  screen("release --all --as carol", "released src/shop/orders.py"),
  screen("sweep", "nothing to sweep"),
  screen("wait src/shop/orders.py", "src/shop/orders.py"),
  screen("outline src/shop/orders.py", "function total"),
  screen(
    `edit modify src/shop/orders.py total --code '${code}' --dry-run`,
    "+    return sum(line.price * line.count for line in cart.lines) + cart.fee",
  ),
  screen(
    `edit modify src/shop/orders.py total --code '${code}' --yes --as dora`,
    "src/shop/orders.py",
  ),
  failing(
    1,
    "edit add src/shop/orders.py --code 'def total(cart): return 1' --yes --as dora",
    "refused: DUPLICATE_SYMBOL",
    "Function 'total' already exists",
  ),
  screen("edit", "src/shop/orders.py"),
  screen("history", "src/shop/orders.py"),
  screen("diff", "+    return sum(line.price * line.count for line in cart.lines) + cart.fee"),
  screen("blame src/shop/orders.py", "dora"),
  failing(1, "judge refused.json", "SYNTAX_ERROR", "src/shop/orders.py"),
  screen("commit -m orders --dry-run --as dora", "src/shop/orders.py"),
  failing(1, "apply refused.diff --yes --as dora", "refused: SYNTAX_ERROR"),
  failing(4, "answer rq_1m7r3pabs5zcnt985r yes --as alice", /\[\w+_UNKNOWN\]/),
  screen("ci HEAD", "0 reasons to refuse"),
  screen(
    "undo --yes --as dora",
    "-    return sum(line.price * line.count for line in cart.lines) + cart.fee",
  ),
  screen("profile"),
  screen("profile --explain"),
  screen("reviewers", "architecture"),
  screen("routing", "no overrides, and nothing is known of findings yet"),
  screen("findings", "--state all"),
  screen("run", "headgate run start plans"),
  screen("state", "nothing left over, nothing corrupt"),
  screen("review src/shop/orders.py", /review/i),
  screen("mine HEAD", /refused/),
  screen("config", "store"),
  screen("verify"),
  screen("events --last 5"),
  failing(2, "nosuch", "[USAGE]"),
  failing(2, "claim --nosuch", "See `headgate claim --help`.", "[USAGE]"),
  screen("init", "nothing to change: everything is set up"),
  screen("uninstall --yes", /removed|restored|gone|taken back/),
];

const files = {
  "src/shop/orders.py": "class Line:\n    pass\n\n\ndef total(cart):\n    return 0\n",
  "refused.diff":
    "--- a/src/shop/orders.py\n+++ b/src/shop/orders.py\n@@ -1,2 +1,3 @@\n class Line:\n     pass\n+def broken(:\n",
  "refused.json": JSON.stringify({
    writes: [{ path: "src/shop/orders.py", after: "def total(cart:\n    return 0\n" }],
  }),
};

// oxlint-disable-next-line no-control-regex -- the colours of a terminal.
const colours = /\u001b\[\d+m/g;

/** `file:line` of what is wrong with what a terminal got; nothing when all is well. */
const faultsIn = ({ line, screen: text }: TerminalRun, columns: number): string[] => {
  const lines = text.split("\n");
  const open = { bold: false, colour: false };
  for (const [match] of text.matchAll(colours)) {
    const number = Number(match.slice(2, -1));
    if (number === 0) [open.bold, open.colour] = [false, false];
    else if (number === 22) open.bold = false;
    else if (number === 39) open.colour = false;
    else if (number < 30) open.bold = true;
    else open.colour = true;
  }
  const bare = lines.map((one) => one.replaceAll(colours, ""));
  return [
    ...(open.bold || open.colour ? [`${line}: a colour stays on`] : []),
    ...bare
      .filter((one) => one.includes("\\u00") || one.includes("\u001b"))
      .map((one) => `${line}: escapes in ${one}`),
    ...bare.filter((one) => isBroken(one, columns)).map((one) => `${line}: broken: ${one}`),
  ];
};

/** Lines of files are shown as they are, and a word that no line can hold stays whole. */
const isBroken = (line: string, columns: number): boolean =>
  textWidth(line) > columns && !/^[-+ @]/.test(line) && / \S/.test(line.trim());

describe("what a terminal shows", () => {
  it.each([80, 120])(
    "every command at %i columns: no escapes, no colour left on, no word broken, nothing lost",
    { timeout: 300_000 },
    async (columns) => {
      const folder = temporaryFolder();
      const cwd = makeRepository(join(folder, "repository"));
      mkdirSync(join(folder, "no-home"));
      for (const [path, text] of Object.entries(files)) put(join(cwd, path), text);
      git(cwd, "add", ".");
      git(cwd, "commit", "-q", "-m", "orders");
      const lines = screens.map(({ words }) => words);
      const runs = await runAtTerminal(lines, { cwd, columns });
      const faults = runs.flatMap((one, index) => {
        const { says, code: wanted = 0 } = screens[index]!;
        const flat = one.screen.replaceAll(colours, "").replaceAll(/\s+/g, " ");
        const lost = says.filter((text) =>
          typeof text === "string"
            ? !flat.includes(text.replaceAll(/\s+/g, " "))
            : !text.test(flat),
        );
        return [
          ...faultsIn(one, columns),
          ...lost.map((text) => `${one.line}: not said: ${String(text)}: ${flat.slice(0, 400)}`),
          ...(one.code === wanted ? [] : [`${one.line}: exit ${one.code}: ${flat.slice(0, 400)}`]),
        ];
      });
      expect(faults).toEqual([]);
    },
  );

  it("every command has its screen, except those for programs and those that stay", () => {
    const shown = new Set(screens.map(({ words }) => words[0]));
    const others = Object.keys(commandTable).filter((name) => !shown.has(name));
    expect(others.toSorted()).toEqual([
      ...["completion", "demo", "git-hook", "hook", "mcp", "mock-llm", "up"],
    ]);
  });
});
