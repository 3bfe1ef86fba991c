import { basename, extname, resolve } from "node:path";
import { systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import {
  type Finding,
  readAnyReport,
  readFindingLines,
  type Report,
  synthesize,
  synthesizeReports,
  type Synthesis,
} from "../../../review/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { whyNot } from "../read-bounded.ts";
import {
  citedSources,
  failOption,
  formatOf,
  formatOption,
  isOver,
  synthesisText,
} from "../review-output.ts";

const words = "headgate review synth";

export const command: Command = {
  summary: "Bring reports together: the same problem once, with everyone who saw it",
  usage: [
    "review synth REPORT… [--format term|md|json|sarif|rdjson] [--fail-on P0|P1|P2|P3]",
    "review synth --from FILE.jsonl [--skip-bad] [--format …] [--fail-on …]",
  ],
  description:
    "No model, no store: the same reports give the same bytes. A REPORT is a reviewer's Markdown, or a linter's SARIF, " +
    "rdjson, checkstyle, JUnit or ESLint JSON; its file name without the ending names the reviewer, or NAME=FILE does. --from reads findings " +
    "as JSON lines ({id?, review, reviewer, family?, title, body?, path?, line?, severity?}), each `review` on its own.",
  options: {
    from: {
      type: "string",
      value: "FILE",
      description: "Findings as JSON lines; - is standard input",
    },
    "skip-bad": { type: "boolean", description: "With --from: count lines that are no finding" },
    run: {
      type: "string",
      value: "ID",
      description: "Reports whose marker names another run are foreign",
    },
    quorum: {
      type: "string",
      value: "N",
      description: "Usable reports that a verdict needs (default: half of them)",
    },
    format: formatOption,
    "fail-on": failOption,
  },
  examples: [
    ["headgate review synth fd-safety.md fd-tests.md semgrep.sarif", "three reports, one summary"],
    ["headgate review synth --from findings.jsonl --json", "any corpus, for programs"],
    ["headgate review synth *.md --format sarif --fail-on P1 > review.sarif", "for a code host"],
  ],
  exits: [
    [0, "done; nothing at least as severe as --fail-on"],
    [1, "with --fail-on: a problem is at least that severe, or not everything was judged"],
    [2, "a file or line cannot be read; nothing was printed"],
  ],
  positionalsMax: 1000,
  completes: "files",
  run: async (context) => {
    const { flags, output, environment } = context;
    const { findings, bring } = await readAll(context);
    // It blocks: nothing could be told while it runs.
    if (findings.length > quickMax) {
      output.note(`headgate: bringing ${findings.length} findings together …`);
    }
    const synthesis = bring();
    const format = formatOf(flags.text("format"), output);
    const root = resolve(environment.cwd, flags.text("repo") ?? ".");
    const isPlaced = format === "sarif" || format === "rdjson";
    const text = synthesisText({
      synthesis,
      findings,
      format,
      ...(isPlaced && { sources: citedSources(findings, root) }),
    });
    output.print(text.trimEnd());
    return isOver(synthesis, flags.text("fail-on")) ? 1 : 0;
  },
};

/** About a second. */
const quickMax = 3_000;

interface ReadAll {
  readonly findings: readonly Finding[];
  bring(): Synthesis;
}

const readAll = async (context: CommandContext): Promise<ReadAll> => {
  const { flags, positionals, output } = context;
  const from = flags.text("from");
  const needed = flags.integer("quorum", { min: 1, max: 1000 });
  const quorum = needed === undefined ? {} : { quorum: needed };
  if (from !== undefined) {
    if (positionals.length > 0) {
      throw usageError("reports and --from do not go together; give one of them", words);
    }
    const skipBad = flags.has("skip-bad");
    const { findings, bad } = readFindingLines(await readText(from, context), {
      name: from === "-" ? "standard input" : from,
      skipBad,
    });
    const [first] = bad;
    if (first) {
      output.note(
        `headgate: ${plural(bad.length, "bad line")} left out, the first is line ${first.line}: ${first.why}`,
      );
    }
    return { findings, bring: () => synthesize(findings, quorum) };
  }
  if (positionals.length === 0) throw usageError("give report files, or --from FILE.jsonl", words);
  const reports = await readReports(context);
  const findings = reports.flatMap((report) => report.findings);
  return { findings, bring: () => synthesizeReports(reports, quorum) };
};

const readReports = async (context: CommandContext): Promise<Report[]> => {
  const { flags, positionals, output } = context;
  const run = flags.text("run");
  const reports: Report[] = [];
  const runs = new Set<string>();
  const used = new Map<string, number>();
  for (const given of positionals) {
    const { reviewer: name, file } = namedFile(given);
    const nth = (used.get(name) ?? 0) + 1;
    used.set(name, nth);
    const reviewer = nth === 1 ? name : `${name}-${nth}`;
    const text = await readText(file, context);
    const read = readAs(text, { file, reviewer, run });
    reports.push(read.report);
    if (read.run !== undefined) runs.add(read.run);
    const [problem] = read.report.problems;
    if (problem !== undefined && !["strict", "lenient"].includes(read.report.state)) {
      output.note(`headgate: ${showText(file, 80)} is ${read.report.state}: ${problem}`);
    }
  }
  if (run === undefined && runs.size > 1) {
    output.note(
      `headgate: the reports are of ${runs.size} different runs; --run takes those of one`,
    );
  }
  return reports;
};

const readAs = (
  text: string,
  {
    file,
    reviewer,
    run,
  }: { readonly file: string; readonly reviewer: string; readonly run: string | undefined },
) => {
  try {
    return readAnyReport(text, { review: "review", reviewer, ...(run !== undefined && { run }) });
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "USAGE") throw error;
    throw new HeadgateError("USAGE", `${showText(file, 100)}: ${error.message}`, { cause: error });
  }
};

const reportEndings = new Set([
  ".md",
  ".markdown",
  ".txt",
  ".json",
  ".jsonl",
  ".sarif",
  ".rdjson",
  ".rdjsonl",
  ".xml",
]);

/** `NAME=FILE`, or a file whose name without its ending is the reviewer's. */
export const namedFile = (given: string): { readonly reviewer: string; readonly file: string } => {
  const named = /^([\w.-]+)=(.+)$/s.exec(given);
  if (named?.[1] !== undefined && named[2] !== undefined) {
    return { reviewer: named[1], file: named[2] };
  }
  let name = basename(given);
  while (extname(name) !== name && reportEndings.has(extname(name).toLowerCase())) {
    name = name.slice(0, -extname(name).length);
  }
  return { reviewer: given === "-" ? "standard-input" : name, file: given };
};

export const readText = async (file: string, context: CommandContext): Promise<string> => {
  if (file === "-") return (await context.readInput(limits.proposalBytesMax)).toString("utf8");
  try {
    const path = resolve(context.environment.cwd, file);
    const size = systemFiles.statFollowing(path)?.size ?? 0;
    if (size <= limits.proposalBytesMax) return systemFiles.readFile(path).toString("utf8");
  } catch (error) {
    throw new HeadgateError("USAGE", `cannot read ${showText(file)}: ${whyNot(error)}`);
  }
  const message = `${showText(file)} is larger than ${limits.proposalBytesMax} bytes`;
  throw new HeadgateError("INPUT_TOO_LARGE", message);
};
