import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { newPlans } from "../../src/runs/plan/new-plans.ts";
import { parseSources, readPlans } from "../../src/runs/plan/read-plans.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const plan = (front: string, body = "## Task: t\n- files: a.txt\n- verify: `true`\n"): string =>
  `---\n${front}\n---\n# Title\n\n${body}`;

const problemsOf = async (sources: Record<string, string>): Promise<string[]> =>
  (await parseSources(sources)).problems.map(
    ({ level, file, line, message }) => `${level} ${file}:${line ?? 0} ${message}`,
  );

describe("plans", () => {
  it("L-01 reads the plan of product.md as it stands there", async () => {
    const text =
      '---\nplan: "01"\ndepends_on: []\nwrites: ["alpha.txt"]\n---\n# Make alpha\n## Task: write alpha\n- files: alpha.txt\n- verify: `test -f alpha.txt`\n\nFree text for the agent: what to do.\n';
    const { plans, problems } = await parseSources({ "01-PLAN.md": text });
    expect(problems).toEqual([]);
    expect(plans).toMatchObject([
      {
        id: "01",
        title: "Make alpha",
        dependsOn: [],
        writes: ["alpha.txt"],
        tasks: [
          {
            name: "write alpha",
            files: ["alpha.txt"],
            verify: "test -f alpha.txt",
            action: "Free text for the agent: what to do.",
            line: 7,
          },
        ],
      },
    ]);
  });

  it("L-01 all keys: agent, timeout, on_timeout, retries; name, files, action, verify, done", async () => {
    const front =
      "plan: 7\ndepends_on: []\nagent: claude\ntimeout: 1h30m\non_timeout: skip\nretries: 2\nwrites: [src/**]";
    const body =
      'Read this.\n\n## Task 1: first\n- **files**: `src/a.ts`, src/b.ts\n- action: write both\n  and more\n- verify: `npm test && echo "a | b"`\n- done: both are there\n\nMore text\n\n```\n## Task: not one\n---\n```\n\n## Notes\nnot for the agent\n';
    const { plans, problems } = await parseSources({ "07-PLAN.md": plan(front, body) });
    expect(problems).toEqual([]);
    expect(plans[0]).toMatchObject({
      id: "07",
      agent: "claude",
      timeoutMs: 5_400_000,
      onTimeout: "skip",
      retries: 2,
      text: "Read this.",
    });
    expect(plans[0]!.tasks).toHaveLength(1);
    expect(plans[0]!.tasks[0]).toMatchObject({
      name: "first",
      files: ["src/a.ts", "src/b.ts"],
      verify: 'npm test && echo "a | b"',
      done: "both are there",
      action: "write both\nand more\n\nMore text\n\n```\n## Task: not one\n---\n```",
    });
  });

  it("L-01 reads one file with several plans, and tasks written as elements", async () => {
    const text = `${plan("plan: 1")}\n---\n\nA rule above is no plan.\n\n---\n\n${plan("plan: 2\ndepends_on: [1]", '<task type="auto">\n  <name>do it</name>\n  <files>b.txt</files>\n  <action>Do</action>\n  <verify>true</verify>\n  <done>yes</done>\n</task>\n')}`;
    const { plans, problems } = await parseSources({ "plans.md": text });
    expect(problems).toEqual([]);
    expect(plans.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["01", []],
      ["02", ["01"]],
    ]);
    expect(plans[1]!.tasks[0]).toMatchObject({
      name: "do it",
      files: ["b.txt"],
      action: "Do",
      verify: "true",
      done: "yes",
    });
  });

  it("L-01 both key spellings are read, but not in one plan", async () => {
    expect(
      await problemsOf({
        "a.md":
          plan("plan: 1") +
          plan("plan: 2\ndependsOn: [1]", "## Task: t\n- files: b.txt\n- verify: `true`\n"),
      }),
    ).toEqual([]);
    expect(await problemsOf({ "a.md": plan("plan: 1\ndependsOn: []\ndepends_on: []") })).toEqual([
      expect.stringContaining("in two spellings"),
    ]);
  });

  it.each([
    [
      "unknown key",
      { "a.md": plan("plan: 1\ndependson: []") },
      'a.md:3 unknown key "dependson"; did you mean "depends_on"?',
    ],
    ["no plan", { "a.md": "# Nothing\n" }, "a.md:1 no plan in it"],
    ["bad YAML", { "a.md": plan("plan: [1") }, "a.md:2 the front matter cannot be read"],
    ["no task", { "a.md": plan("plan: 1", "text") }, "the plan has no task"],
    [
      "no files",
      { "a.md": plan("plan: 1", "## Task: t\n\ntext\n") },
      "a.md:6 the task names no files",
    ],
    [
      "a key that is none",
      { "a.md": plan("plan: 1", "## Task: t\n- fils: a\n") },
      'a task has no key "fils"',
    ],
    [
      "a path outside",
      { "a.md": plan("plan: 1", "## Task: t\n- files: ../a.txt\n- verify: `true`\n") },
      'files: "../a.txt" leads outside the repository',
    ],
    [
      "an absolute path",
      { "a.md": plan("plan: 1\nwrites: [/etc/passwd]") },
      "leads outside the repository",
    ],
    [
      "our own files",
      { "a.md": plan("plan: 1", "## Task: t\n- files: .headgate/config.jsonc\n") },
      "belongs to git or Headgate",
    ],
    [
      "a file outside writes",
      { "a.md": plan("plan: 1\nwrites: [src/**]") },
      'task "t" writes a.txt, which is not in the plan\'s writes',
    ],
    ["a bad time", { "a.md": plan("plan: 1\ntimeout: soon") }, "timeout: a time such as 90s"],
    [
      "a missing dependency",
      { "a.md": plan("plan: 1\ndepends_on: [9]") },
      "depends on plan 09, which does not exist; there are 01",
    ],
    [
      "twice the same",
      { "a.md": plan("plan: 1"), "b.md": plan("plan: 01") },
      "plan 01 exists twice",
    ],
    [
      "another number than its name",
      { "02-PLAN.md": plan("plan: 1") },
      "the file's name says plan 02",
    ],
    [
      "an unclosed element",
      { "a.md": plan("plan: 1", "<task>\n<name>x</name>\n") },
      "<task> is never closed",
    ],
  ])("L-01 run check names %s with its line", async (_, sources, wanted) => {
    const problems = await problemsOf(sources as unknown as Record<string, string>);
    expect(problems.filter((line) => line.startsWith("error")).join("\n")).toContain(wanted);
  });

  it("L-01 run check lists cycles, overlapping write-sets of parallel plans, and missing verify commands", async () => {
    const circle = await problemsOf({
      "a.md":
        plan("plan: 1\ndepends_on: [2]") +
        plan("plan: 2\ndepends_on: [1]", "## Task: t\n- files: b.txt\n- verify: `x`\n"),
    });
    expect(circle).toEqual([expect.stringContaining("in a circle: 01 → 02 → 01")]);
    const both =
      plan("plan: 1\nwrites: [src/**]", "## Task: t\n- files: src/a.ts\n") +
      plan("plan: 2", "## Task: u\n- files: src/a.ts\n- verify: `x`\n");
    expect(await problemsOf({ "a.md": both })).toEqual([
      expect.stringContaining('warning a.md:7 task "t" has no verify command'),
      expect.stringContaining(
        "plans 01 and 02 write what overlaps, src/** and src/a.ts: they will run one after the other, 01 first",
      ),
    ]);
    // In order by depends_on: nothing to say.
    expect(
      await problemsOf({ "a.md": plan("plan: 1") + plan("plan: 2\ndepends_on: [1]") }),
    ).toEqual([]);
  });

  it("L-01 everything that is wrong is told at once, in and between plans, each at its own line", async () => {
    const first = plan(
      'plan: "01"\ndepends_on: ["02", "07"]\nwrites: ["../x", "src/**"]\ncolour: red',
      "## Task: t\n- files: /etc/passwd, other.txt\n- verify: `true`\n",
    );
    const second = plan(
      'plan: "02"\ndepends_on: ["01"]\nwrites: ["src/a.ts"]\ntimeout: soon',
      "## Task: u\n- files: src/a.ts\n- verifi: true\n",
    );
    const found = await problemsOf({ "01-PLAN.md": first, "02-PLAN.md": second });
    const parts = [
      'error 01-PLAN.md:5 unknown key "colour"',
      'error 01-PLAN.md:4 writes: "../x" leads outside',
      'error 01-PLAN.md:10 files: "/etc/passwd" leads outside',
      "error 02-PLAN.md:5 timeout: a time such as",
      'error 02-PLAN.md:11 a task has no key "verifi": did you mean "verify"?',
      'warning 02-PLAN.md:9 task "u" has no verify command',
      "error 01-PLAN.md:1 depends on plan 07, which does not exist",
      "error 01-PLAN.md:1 the plans wait for each other in a circle: 01 → 02 → 01",
      'error 01-PLAN.md:9 task "t" writes other.txt, which is not in the plan\'s writes',
    ];
    for (const part of parts) expect(found.join("\n")).toContain(part);
    expect(found).toHaveLength(parts.length);
  });

  it("L-01 hostile text: control characters, huge files, many plans", async () => {
    expect(
      await problemsOf({ "a.md": plan("plan: 1", `## Task: t\n- files: a\u0000b\n`) }),
    ).not.toEqual([]);
    expect(await problemsOf({ "a.md": " ".repeat(1024 * 1024 + 1) })).toEqual([
      expect.stringContaining("larger than"),
    ]);
    const many = Array.from({ length: 501 }, (_, index) => plan(`plan: p${index}`)).join("");
    expect((await problemsOf({ "a.md": many })).join()).toContain("at most 500 plans");
    const bomb = "plan: &a [x]\nwrites: [*a, *a]";
    expect((await problemsOf({ "a.md": plan(bomb) })).length).toBeGreaterThan(0);
  });

  it("L-01 run new writes plans that check without a complaint, and never over others", async () => {
    const folder = join(temporaryFolder(), "plans");
    expect(await newPlans(folder, { count: 3, files: systemFiles })).toEqual([
      "01-PLAN.md",
      "02-PLAN.md",
      "03-PLAN.md",
    ]);
    const { plans, problems } = await readPlans(folder, systemFiles);
    expect(problems).toEqual([]);
    expect(plans.map(({ dependsOn }) => dependsOn)).toEqual([[], ["01"], ["02"]]);
    await expect(newPlans(folder, { count: 1, files: systemFiles })).rejects.toMatchObject({
      code: "FILE_EXISTS",
    });
    put(join(folder, "notes.md"), "ignored");
    expect((await readPlans(folder, systemFiles)).plans).toHaveLength(3);
  });

  it("L-01 nothing there, and a folder without plans, are told", async () => {
    const folder = temporaryFolder();
    await expect(readPlans(join(folder, "no"), systemFiles)).rejects.toMatchObject({
      code: "PLANS_ABSENT",
    });
    await expect(readPlans(folder, systemFiles)).rejects.toMatchObject({
      code: "PLANS_ABSENT",
      message: expect.stringContaining("NN-PLAN.md"),
    });
  });
});
