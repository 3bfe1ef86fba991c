import { describe, expect, it } from "vitest";
import { runStatic, staticRules } from "../../../src/review/static/index.ts";

const bad = "import requests\n\nrequests.get(url)\n\nrequests.post(url)\n";
const lines = async (
  content: string,
  path = "src/a.py",
): Promise<readonly (number | undefined)[]> =>
  (await runStatic([{ path, content }])).findings.map(({ line }) => line);

describe("the static reviewers", () => {
  it("give findings with place, severity, rule, reason and fix", async () => {
    const { findings } = await runStatic([{ path: "src/a.py", content: bad }], { review: "r1" });
    expect(findings[0]).toMatchObject({
      review: "r1",
      reviewer: "static",
      path: "src/a.py",
      line: 3,
      severity: "P2",
      rule: "missing-timeout",
      kind: "reliability",
      title: "`requests.get` has no time limit",
    });
    expect(findings[0]?.body).toMatch(/wait for ever/);
    expect(findings[0]?.fix).toMatch(/^[A-Z].+\.$/);
    expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
  });

  it("same files, same bytes, whatever order they come in", async () => {
    const files = ["src/b.py", "src/a.py", "src/Z.py"].map((path) => ({ path, content: bad }));
    const one = await runStatic(files);
    const other = await runStatic(files.toReversed());
    expect(JSON.stringify(one.findings)).toBe(JSON.stringify(other.findings));
    expect(one.findings.map(({ path }) => path)).toEqual(
      ["src/Z.py", "src/a.py", "src/b.py"].flatMap((path) => [path, path]),
    );
  });

  it("take files as they come, without holding them all", async () => {
    const read = async function* () {
      yield { path: "src/a.py", content: Buffer.from(bad) };
      yield { path: "src/b.py", content: bad };
    };
    expect((await runStatic(read())).findings).toHaveLength(4);
  });

  it("on a change tell only what is on its lines", async () => {
    const changedLines = new Map([["src/a.py", new Set([5])]]);
    const { findings } = await runStatic([{ path: "src/a.py", content: bad }], { changedLines });
    expect(findings.map(({ line }) => line)).toEqual([5]);
    const none = new Map([["src/a.py", new Set<number>()]]);
    const { files } = await runStatic([{ path: "src/a.py", content: bad }], { changedLines: none });
    expect(files).toBe(0);
  });

  it("a finding is silenced by its rule's name and a reason, on its line or above", async () => {
    const reason = "headgate-ignore: missing-timeout the caller has a limit";
    expect(await lines(`requests.get(url)  # ${reason}\n`)).toEqual([]);
    expect(await lines(`# ${reason}\nrequests.get(url)\n`)).toEqual([]);
    const { suppressed } = await runStatic([
      { path: "src/a.py", content: `# ${reason}\nrequests.get(url)\n` },
    ]);
    expect(suppressed).toBe(1);
  });

  it("is not silenced without a reason, by another rule's name, or from further away", async () => {
    expect(await lines("requests.get(url)  # headgate-ignore: missing-timeout\n")).toEqual([1]);
    expect(await lines("requests.get(url)  # headgate-ignore: busy-wait it is fine\n")).toEqual([
      1,
    ]);
    const far = "# headgate-ignore: missing-timeout fine\n\nrequests.get(url)\n";
    expect(await lines(far)).toEqual([3]);
    const behind = "x = 1  # headgate-ignore: missing-timeout fine\nrequests.get(url)\n";
    expect(await lines(behind)).toEqual([2]);
  });

  it("tests are left alone by rules about carelessness", async () => {
    expect(await lines(bad, "tests/a.py")).toEqual([]);
    expect(await lines(bad, "src/test_a.py")).toEqual([]);
    const careless = "list.forEach(async (x) => { await x; });\n";
    expect(await lines(careless, "tests/a.ts")).toEqual([1]);
  });

  it("what cannot be looked at is said with its reason; what has no rules is not", async () => {
    const { skipped, findings } = await runStatic([
      { path: "src/large.py", content: `${bad}${"#".repeat(1024 * 1024)}` },
      { path: "src/binary.py", content: `${bad}\0` },
      { path: "README.md", content: "requests.get(url)" },
      { path: "src/a.rb", content: "requests.get(url)" },
    ]);
    expect(skipped).toEqual([
      { path: "src/large.py", why: "it has 1048631 bytes, the rules read 1048576" },
      { path: "src/binary.py", why: "it holds a NUL character" },
    ]);
    expect(findings).toEqual([]);
  });

  it("generated and bundled files are left alone", async () => {
    expect(await lines(`# @generated\n${bad}`)).toEqual([]);
    expect(await lines(`${bad}x = "${"a".repeat(6000)}"\n`)).toEqual([]);
  });

  it("one rule tells at most twenty places of one file and counts the rest", async () => {
    const content = "requests.get(url)\n".repeat(30);
    const { findings, leftOut } = await runStatic([{ path: "src/a.py", content }]);
    expect([findings.length, leftOut]).toEqual([20, 10]);
  });

  it("broken, deep and odd sources end nothing", async () => {
    const sources = [
      "(".repeat(20_000),
      "requests.get(".repeat(3_000),
      "def f(:\n  requests.get(url\n",
      "try {".repeat(2_000) + " } catch {}",
      "x = " + "[1],".repeat(100_000),
      "if [ -f $a; then\n rm -rf $X/* ||",
      "const a = `${`${`${$$$}`}`}`; a.$b($c); exec(`x ${$y}`) // child_process",
      "func ( { for s.(x).Scan() { } } bufio.NewScanner( rows.Next()",
    ];
    for (const ending of ["py", "ts", "go", "sh"]) {
      const files = sources.map((content, at) => ({ path: `src/${at}.${ending}`, content }));
      const report = await runStatic(files);
      expect(report.files).toBe(sources.length);
    }
  });

  it("line endings and characters beyond ASCII do not move a finding", async () => {
    expect(await lines(bad.replaceAll("\n", "\r\n"))).toEqual([3, 5]);
    expect(await lines(`\uFEFFs = "😀 ü"\n${bad}`)).toEqual([4, 6]);
  });

  it("every rule says why and how, with a plain name", () => {
    const names = staticRules.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    for (const rule of staticRules) {
      expect(rule.name).toMatch(/^[a-z]+(-[a-z]+)+$/);
      expect(rule.why.length).toBeGreaterThan(40);
      expect(rule.fix.length).toBeGreaterThan(20);
    }
  });
});
