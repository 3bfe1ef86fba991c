import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { changed, report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

const filler = Array.from({ length: 12 }, (_, at) => `export const spare${at} = ${at};\n`).join("");
const queue = (end: string) =>
  `${filler}export const send = (queue, to) => {\n  for (let at = 0; at < ${end}; at += 1) to(queue[at]);\n};\n`;
const names = (guard: string) =>
  `${filler}export const first = (names) => {\n${guard}  return names[0].trim();\n};\n`;

/** What a reviewer says by the file that it is shown. */
const byFile = (agent: string, places: Record<string, readonly object[]>) =>
  says(agent, [
    ...Object.entries(places).map(([when, findings]) => ({
      ...{ when, text: report(agent, findings as never) },
    })),
    { text: report(agent, []) },
  ] as never);

it("R-11 R-14 fixes of the repository, taken back, show what each reviewer finds, before an exclusion is proposed", async () => {
  const lost = {
    title: "The last message is never sent",
    severity: "P1",
    place: "src/queue.js:14",
  };
  const far = { title: "Spare values are not used", severity: "P2", place: "src/queue.js:2" };
  const empty = { title: "An empty list crashes", severity: "P1", place: "src/names.js:15" };
  const remark = { title: "The list could be checked", severity: "P3", place: "src/names.js:14" };
  const { cwd, edit, json, run, asked } = await scriptedPlace(
    [
      byFile("performance", { "src/queue.js": [lost], "src/names.js": [remark] }),
      byFile("correctness", { "src/queue.js": [far], "src/names.js": [empty] }),
      says("safety", { garbage: true, text: "x" }),
    ],
    { call: runInside },
  );
  const commit = (message: string, files: Record<string, string>): string => {
    for (const [path, content] of Object.entries(files)) edit(path, content);
    git(cwd, "add", ...Object.keys(files));
    git(cwd, "commit", "-q", "-m", message);
    return git(cwd, "rev-parse", "HEAD").trim();
  };
  const none = await run(["routing", "replay", "performance"]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing to take back") });
  commit("Add a queue and names", {
    "src/queue.js": queue("queue.length - 1"),
    "src/names.js": names(""),
  });
  const queued = commit("Fix the last message that was lost", {
    "src/queue.js": queue("queue.length"),
    "test/queue.test.js": "it('sends the last', () => {});\n",
  });
  const named = commit("No crash on an empty list", {
    "src/names.js": names("  if (names.length === 0) return '';\n"),
  });
  commit("Fix typo", { "src/queue.js": `${queue("queue.length")}// sends\n` });
  const before = readFileSync(join(cwd, "src/queue.js"), "utf8");

  const replayed = await json(["routing", "replay", "performance"]);
  expect(replayed).toMatchObject({
    exit: 1,
    fixes: [
      { id: named, title: "No crash on an empty list", paths: ["src/names.js"] },
      { id: queued, title: "Fix the last message that was lost", paths: ["src/queue.js"] },
    ],
  });
  const byName = Object.fromEntries(
    replayed.results.map((one: { reviewer: string }) => [one.reviewer, one]),
  );
  expect(byName).toMatchObject({
    performance: { found: [queued], missed: [named], both: 1, onlyWith: 1, none: 0 },
    correctness: { found: [named], missed: [queued], both: 1, onlyWith: 1, none: 0 },
  });
  expect(replayed.untried.map(({ reviewer }: { reviewer: string }) => reviewer)).toEqual([
    "safety",
    "safety",
  ]);
  const texts = asked().map(({ lastUserText }) => lastUserText);
  expect(texts.filter((text) => /sends the last|last message|typo|crash on/i.test(text))).toEqual(
    [],
  );
  expect(readFileSync(join(cwd, "src/queue.js"), "utf8")).toBe(before);
  expect(readFileSync(join(cwd, "src/store.js"), "utf8")).toBe(changed);

  const { probes } = await json(["routing", "status"]);
  expect(probes).toMatchObject([
    { reviewer: "correctness" },
    {
      reviewer: "performance",
      ...{ domain: "own-fixes", both: 1, onlyWith: 1 },
      summary: "excluding performance loses 1 of 2 faults fixed here (with 2/2, without 1/2)",
    },
  ]);
  const { stdout } = await run(["routing", "replay", "performance", "--fixes", "1"]);
  expect(stdout).toMatch(/1 fix taken back/);
  expect(stdout).toMatch(/performance {2}found 0 of 1\n {2}missed {2}[0-9a-f]{10} No crash on an/);
  expect((await run(["routing", "replay", "performanse"])).stderr).toContain("performance?");
});
