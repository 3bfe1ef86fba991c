import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { judge, treeOf, type Policy, type Verdict } from "../../src/gate/index.ts";
import { Analyser } from "../../src/structure/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { hostileInputs } from "../helpers/hostile-inputs.ts";
import { runInside } from "../helpers/inside.ts";
import { stopParsers } from "../helpers/stopped-parsers.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { gitAs, hookedRepository, write } from "../surfaces/git/hooked-repository.ts";

const analyser = new Analyser();
afterAll(() => analyser.close());

type Content = string | Uint8Array;
const ask = (
  path: string,
  after: Content,
  { before, policy = {} }: { readonly before?: Content; readonly policy?: Policy } = {},
): Promise<Verdict> => {
  const files = before === undefined ? {} : { [path]: before };
  return judge({ writes: [{ path, after }] }, { analyser, tree: treeOf(files), policy });
};
const codes = (reasons: Verdict["reasons"]): string[] => reasons.map(({ code }) => code);

const hidden = "// \0\nexport function a( {\n";
const deep = `export const x = ${"(".repeat(100_000)};\n`;
const chained = `import x from "./y.js";\nexport const q = x${".b()".repeat(20_000)};\n`;
const good = "export const a = 1;\n";
const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const png = bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const widest = (text: string): Buffer => {
  const numbers = [0xfeff, ...Array.from(text, (one) => one.codePointAt(0)!)];
  return Buffer.from(new Uint32Array(numbers).buffer);
};

describe("D09 T-06 what cannot be judged", () => {
  it.each([
    ["NUL in a comment", hidden],
    ["a crash of the parser", deep],
  ])(
    "T-06 %s is refused in a new file, and where the file could be judged before",
    async (_, after) => {
      for (const before of [undefined, good]) {
        const verdict = await ask("a.js", after, { ...(before !== undefined && { before }) });
        expect(verdict).toMatchObject({ verdict: "deny", reasons: [{ code: "NOT_JUDGEABLE" }] });
        expect(verdict.reasons[0]!.remedy).not.toContain("\n");
      }
      const note = await ask("a.js", `${after}\n`, { before: after });
      expect(note).toMatchObject({ verdict: "allow", notes: [{ code: "NOT_JUDGEABLE" }] });
    },
  );

  it("T-06 a person's word passes it, as any other refusal: an override, a comment, a policy", async () => {
    const overrides = [{ code: "NOT_JUDGEABLE", reason: "made by a tool" }];
    const proposal = { writes: [{ path: "a.js", after: hidden }], overrides };
    const passed = await judge(proposal, { analyser, tree: treeOf({}), policy: {} });
    expect(passed.notes[0]!.message).toContain("(passed: made by a tool)");
    const commented = `// headgate-allow: NOT_JUDGEABLE a test of NUL\nx = "\0";\n`;
    expect(await ask("a.js", commented)).toMatchObject({ verdict: "allow" });
    const policy: Policy = { levelOf: (rule) => (rule === "judgeable" ? "warn" : undefined) };
    expect(await ask("a.js", hidden, { policy })).toMatchObject({ verdict: "allow" });
  });

  it("T-06 source that becomes a picture is refused; encrypting it is a note", async () => {
    const replaced = await ask("a.js", png, { before: good });
    expect(codes(replaced.reasons)).toEqual(["NOT_JUDGEABLE"]);
    const encrypted = await ask("a.js", bytes("\0GITCRYPT\0\x01\x02"), { before: good });
    expect(encrypted).toMatchObject({ verdict: "allow", notes: [{ code: "NOT_JUDGEABLE" }] });
  });

  it("T-06 a program that begins as a picture does is no picture", async () => {
    for (const [path, text] of [
      ["a.php", "\x89PNG\r\n\x1a\n\0<?php system($_GET['x']);\n"],
      ["a.js", "GIF89a/*\0*/=1;alert(1)\n"],
      ["a.js", "RIFF=1/*\0\0\0\0*/\n"],
    ] as const) {
      expect(codes((await ask(path, bytes(text))).reasons), text).toContain("NOT_JUDGEABLE");
    }
  });

  const video = Buffer.alloc(188 * 3);
  for (const at of [0, 188, 376]) video.set([0x47, 0x40, 0], at);
  const names = ["a.js", "a.ts", "a.py", "a.c", "a.json", "a.bin", "a.png"];
  const formats = { png, wasm: bytes("\0asm\x01\0\0\0"), zip: bytes("PK\x03\x04\x14\0\0\0") };

  it("T-06 good work passes in silence", async () => {
    const silent: readonly (readonly [string, Content, Content?])[] = [
      ...Object.values(formats).flatMap((one) => names.map((name) => [name, one] as const)),
      ["movie.ts", video],
      ["a.ts", wide(good)],
      ["a.ts", widest(good)],
      ["a.ts", wide(`${good}${good.replace("a", "b")}`), wide(good)],
      ["a.ts", ""],
      ["a.py", ""],
      ["a.ts", "export const a = 1;\rexport const b = 2;\r"],
      ["secret.py", bytes("\0GITCRYPT\0\x01\x02\0")],
      ["table.dat", "a\0b\0"],
      ["notes.txt", "a\0b\0"],
      ["a.ts", "export const nul = '\\0';\n"],
      ["a.ts", `export const x = ${"[".repeat(200)}1${"]".repeat(200)};\n`],
      ["a.js", chained],
    ];
    for (const [name, after, before] of silent) {
      const verdict = await ask(name, after, { ...(before !== undefined && { before }) });
      const told = [...codes(verdict.reasons), ...codes(verdict.notes)];
      expect(
        told.filter((code) => code !== "NOT_ANALYSED"),
        name,
      ).toEqual([]);
    }
  });

  it("T-06 good work passes with a note: large files, what was unreadable before, fixtures, moves", async () => {
    const bundle = `!function(){${"a(1);".repeat(1_100_000)}}();\n`;
    const noted: readonly (readonly [string, Content, Content?])[] = [
      ["dist.js", bundle],
      ["app.min.js", bundle, good],
      ["legacy.c", "/* \0 */ int b;\n", "/* \0 */ int a;\n"],
      ["test/fixtures/nul.js", hidden],
      ["installer", `#! sh\necho payload\nexit 0\n\0\x01`],
    ];
    for (const [name, after, before] of noted) {
      const verdict = await ask(name, after, { ...(before !== undefined && { before }) });
      expect(verdict.reasons, name).toEqual([]);
      expect(codes(verdict.notes), name).toContain("NOT_JUDGEABLE");
    }
    const writes = [
      { path: "old.js", after: null },
      { path: "new.js", after: hidden },
    ];
    const tree = treeOf({ "old.js": hidden });
    const moved = await judge({ writes }, { analyser, tree, policy: {} });
    expect(moved).toMatchObject({ verdict: "allow" });
  });

  it("T-06 a sample of the hostile inputs", async () => {
    const some = hostileInputs().filter(
      ({ path, name }) =>
        /NUL/.test(name) || (/\.(?:py|js)$/.test(path) && /open round|minus/.test(name)),
    );
    for (const { path, name, text } of some) {
      expect((await ask(path, text)).verdict, `${path} ${name}`).toBe("deny");
    }
  });
});

describe("D09 T-06 every door", () => {
  it("T-06 the hook refuses it, and names what could not be judged before either, to the agent and in the log", async () => {
    const place = await hookPlace();
    const tool = (name: string, content: string) =>
      ({ kind: "write", name: "Write", file: join(place.root, name), content }) as const;
    for (const content of [hidden, deep]) {
      const refused = await place.before(tool("x.js", content));
      expect(refused).toMatchObject({ kind: "refuse" });
      expect(JSON.stringify(refused)).toContain("NOT_JUDGEABLE");
    }
    place.file("old.js", hidden);
    const passed = tool("old.js", `${hidden}\n`);
    expect(await place.before(passed)).toEqual({ kind: "pass" });
    place.file("old.js", `${hidden}\n`);
    const told = await place.after(passed);
    expect(JSON.stringify(told)).toContain("NOT_JUDGEABLE");
    expect(await place.events("judgement.missed")).toMatchObject([
      { actor: "claude:s1", data: { what: "file", where: "old.js" } },
    ]);
  });

  it.runIf(process.platform === "linux")(
    "T-06 NUL needs no parser: it is refused where the judgement is late, too",
    async () => {
      const place = await hookPlace(undefined, { ownParsers: true });
      await place.headgate.gate.judge({ writes: [{ path: "warm.ts", after: good }] });
      stopParsers();
      const late = await place.headgate.gate.admitUnjudged({
        writes: [{ path: "x.js", after: hidden }],
      });
      expect(codes(late.reasons)).toEqual(["NOT_JUDGEABLE"]);
    },
  );

  it("T-06 edit, judge and apply refuse it, and --allow passes it", async () => {
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    const options = { cwd: folder };
    const proposal = JSON.stringify({ writes: [{ path: "x.js", after: hidden }] });
    const judged = await runInside(["judge", "--json"], { ...options, input: proposal });
    expect(judged.code).toBe(1);
    expect(JSON.parse(judged.stdout)).toMatchObject({ reasons: [{ code: "NOT_JUDGEABLE" }] });
    const create = ["edit", "create", "x.js", "--yes", "--json"];
    const refused = await runInside(create, { ...options, input: hidden });
    expect(refused.stdout).toContain("NOT_JUDGEABLE");
    expect(refused.code).toBe(1);
    const allow = ["--allow", "NOT_JUDGEABLE=a test of NUL"];
    expect(await runInside([...create, ...allow], { ...options, input: hidden })).toMatchObject({
      code: 0,
    });
  });

  it("T-06 the commit and ci refuse it, and name what could not be judged before either", async () => {
    const folder = await hookedRepository((at) => {
      write(at, "old.js", hidden);
      write(at, "big.js", good);
      git(at, "add", ".");
      git(at, "commit", "--quiet", "--message", "Old");
    });
    const commit = () => gitAs("ada", folder, ["commit", "--quiet", "-m", "x"]);
    write(folder, "code.ts", hidden);
    git(folder, "add", ".");
    const refused = commit();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("NOT_JUDGEABLE code.ts");
    git(folder, "checkout", "--quiet", "HEAD", "--", "code.ts");
    write(folder, "old.js", `${hidden}\n`);
    write(folder, "big.js", `${good}${"//x\n".repeat(1_200_000)}`);
    writeFileSync(join(folder, "logo.ts"), png);
    git(folder, "add", ".");
    const passed = commit();
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stderr).toContain("headgate: note: old.js cannot be judged: it holds a NUL");
    expect(passed.stderr).toContain("headgate: note: big.js cannot be judged: it is larger");
    const events = await runInside(["events", "--json", "--kind", "judgement.missed"], {
      cwd: folder,
    });
    expect(events.stdout).toContain("old.js");
    const range = await runInside(["ci", "HEAD~1..HEAD", "--json"], { cwd: folder });
    expect(range.code).toBe(0);
    const { reasons, notes } = JSON.parse(range.stdout);
    expect(reasons).toEqual([]);
    expect(notes).toMatchObject([
      { code: "NOT_JUDGEABLE", path: "old.js" },
      { code: "NOT_JUDGEABLE", path: "big.js" },
    ]);
    git(folder, "config", "core.hooksPath", "/dev/null");
    write(folder, "code.ts", hidden);
    git(folder, "commit", "--quiet", "--all", "--message", "around");
    const around = await runInside(["ci", "HEAD~1..HEAD", "--json"], { cwd: folder });
    expect(around.code).toBe(1);
    expect(JSON.parse(around.stdout).reasons).toMatchObject([{ code: "NOT_JUDGEABLE" }]);
  });
});
