// `npm run eval -- comments --repo FOLDER…`: has the rule about placeholders read the committed comments of real
// repositories. Only comments that begin a line are counted: the rule reads no others.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { placeholders } from "../src/gate/rules/placeholders.ts";
import { languageOf, notAnalysed, scan, SourceText } from "../src/structure/index.ts";
import { keepSection } from "./report.ts";
import { table } from "./table.ts";
import { repoName } from "./tree/results.ts";

const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: [] },
    /** Enough comments of one repository, so that no single one makes up the sample. */
    most: { type: "string", default: "50000" },
    /** Into docs/evaluation.md. */
    keep: { type: "boolean", default: true },
  },
  allowNegative: true,
});

/** Looked at by hand: these stand for code that somebody left out, one by oversight, the others in a book. */
const leftOut = [
  /^dbt-core crates\/dbt-jinja\/minijinja\/src\/compiler\/cfg\.rs:149: \/\/ \.\.\.existing code\.\.\.$/,
  /^book listings\/\S+\.rs:\d+: \/\/ -- ?snip ?--$/,
];

const skipped = /^(?:text|json|markdown|notebook)$/;
const bytesMax = 500_000;
const atOnce = 200;

interface Blob {
  readonly id: string;
  readonly path: string;
}

const git = (repo: string, input: string, ...args: string[]): Buffer =>
  // What a stored history leaves out stays out.
  spawnSync("git", ["-C", repo, ...args], {
    ...{ input, maxBuffer: 1 << 30 },
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1" },
  }).stdout;

const blobsIn = (repo: string): Blob[] =>
  git(repo, "", "ls-tree", "-r", "-z", "HEAD")
    .toString()
    .split("\0")
    .flatMap((line) => {
      const [, id = "", path = ""] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return path === "" || skipped.test(languageOf(path)) ? [] : [{ id, path }];
    });

const contents = function* (
  repo: string,
  blobs: readonly Blob[],
): Generator<readonly [Blob, Buffer]> {
  for (let from = 0; from < blobs.length; from += atOnce) {
    const part = blobs.slice(from, from + atOnce);
    const out = git(repo, part.map(({ id }) => `${id}\n`).join(""), "cat-file", "--batch");
    let at = 0;
    for (const blob of part) {
      const end = out.indexOf("\n", at);
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(out.toString("latin1", at, end))?.[1];
      at = end + 1;
      if (size === undefined) continue;
      yield [blob, out.subarray(at, at + Number(size))];
      at += Number(size) + 1;
    }
  }
};

/** Comments with nothing but white space before them on their line. */
const countComments = (text: string, language: string): number =>
  scan(text, language).comments.filter(
    ({ from }) => text.slice(text.lastIndexOf("\n", from - 1) + 1, from).trim() === "",
  ).length;

const seen = new Set<string>();
const counts = new Map<string, { files: number; comments: number; hits: number }>();
const hits: string[] = [];
for (const repo of values.repo) {
  let comments = 0;
  for (const [{ id, path }, bytes] of contents(repo, blobsIn(repo))) {
    if (comments >= Number(values.most)) break;
    if (seen.has(id) || bytes.length > bytesMax) continue;
    seen.add(id);
    const source = SourceText.of(bytes);
    const language = languageOf(path, source.text);
    const count = counts.get(language) ?? { files: 0, comments: 0, hits: 0 };
    counts.set(language, count);
    const found = countComments(source.text, language);
    comments += found;
    count.files += 1;
    count.comments += found;
    const after = { source, outline: notAnalysed(path, language, "only its text is read") };
    const told = await placeholders({
      ...{ path, before: undefined, after },
      syntaxAfter: async () => undefined,
    });
    for (const { code, line, message } of told) {
      if (code !== "LAZY_PLACEHOLDER") continue;
      count.hits += 1;
      const hit = `${repoName(repo)} ${path}:${line}: ${message.replace(/^.*?: /, "")}`;
      hits.push(leftOut.some((one) => one.test(hit)) ? `${hit} (rightly)` : hit);
    }
  }
  console.error(`${repoName(repo)}: ${comments} comments, ${hits.length} refused so far`);
}
const rows = [...counts]
  .toSorted()
  .map(([language, count]) => [language, ...Object.values(count).map(String)]);
const sum = (name: "files" | "comments" | "hits"): number =>
  [...counts.values()].reduce((total, one) => total + one[name], 0);
rows.push(["all", String(sum("files")), String(sum("comments")), String(sum("hits"))]);
const shown = table(["language", "files", "comments", "refused"], rows);
console.log(shown);
for (const hit of hits) console.log(hit);
if (values.keep) {
  keepSection(
    "comments",
    `## Comments of real files

Made by \`npm run eval -- comments\`: the committed files of ${values.repo.length} public repositories as they are today, at most ${values.most} comments of
each. Counted are comments that begin a line, because the rule about placeholders reads no others; "refused" would be a new file with it.

${shown}

${hits.length === 0 ? "None was refused." : `Refused:\n\n${hits.map((hit) => `- ${hit}`).join("\n")}`}
`,
  );
}
process.exitCode =
  values.repo.length === 0 ? 2 : hits.every((hit) => hit.endsWith(" (rightly)")) ? 0 : 1;
