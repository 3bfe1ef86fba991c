import {
  type Known,
  matchFindings,
  type Seen,
  type SeenPlace,
} from "../../../src/review/ledger/match.ts";
import { describe, expect, it } from "vitest";
import { Analyser } from "../../../src/structure/index.ts";
import { openLedger } from "../../../src/review/index.ts";
import { backends, openScope } from "../../helpers/store-backends.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";
import { hold, type Said, wholeFiles } from "./scene.ts";

const open = async (withOutline = false) => {
  const there = await openScope(await backends[0]!.place());
  const analyser = new Analyser();
  const ledger = openLedger({
    place: { open: async () => there, look: async () => there },
    actor: "alice",
    ...(withOutline && {
      outline: async (text: string, path: string) => (await analyser.outline(text, path)).outline,
    }),
  });
  const review = (text: string, said: readonly Said[]) =>
    hold(ledger, { subject: wholeFiles({ "a.ts": text }), said, asked: ["fd-one"] });
  return { ledger, review, close: () => analyser.close() };
};
const at = (line: number, title: string, more: Partial<Said> = {}): Said => ({
  path: "a.ts",
  line,
  title,
  ...more,
});
const filler = (count: number) => Array.from({ length: count }, (_, n) => `step${n}();\n`).join("");
const statesOf = (finished: { readonly states: ReadonlyMap<string, string> }) =>
  [...finished.states.values()].toSorted();

describe("V-04 a finding is known again", () => {
  it("V-04 in other words about the same line, far from where it was", async () => {
    const { review } = await open();
    const line = "  if (!existsSync(path)) writeFileSync(path, data);\n";
    await review(`${filler(3)}${line}${filler(3)}`, [
      at(4, "Race between the check and the write of the file"),
    ]);
    const moved = await review(`${filler(80)}${line}${filler(3)}`, [
      at(81, "Check of the file and write race with each other"),
    ]);
    expect(statesOf(moved)).toEqual(["persisting"]);
  });

  it("V-04 when the cited line was changed, near and in similar words", async () => {
    const { review } = await open();
    await review(`${filler(3)}save(path);\n${filler(9)}`, [
      at(4, "The state file is written without an atomic rename"),
    ]);
    const changed = await review(`${filler(3)}save(path, options);\n${filler(9)}`, [
      at(4, "State file is not written with an atomic rename"),
    ]);
    expect(statesOf(changed)).toEqual(["persisting"]);
  });

  it("V-04 but not something else in that line", async () => {
    const { review } = await open();
    await review(`${filler(3)}save(path);\n`, [
      at(4, "The state file is written without an atomic rename"),
    ]);
    const other = await review(`${filler(3)}save(path);\n`, [
      at(4, "Unbounded retries exhaust the connection pool"),
    ]);
    expect(statesOf(other)).toEqual(["fixed", "new"]);
  });

  it("V-04 by the symbol around it, when the lines beside it are others", async () => {
    const { review, close } = await open(true);
    const body = (before: string) =>
      `export class Saver {\n  save(path: string) {\n    ${before}\n    write(path);\n    done(${before.length});\n  }\n}\n`;
    const rule = { rule: "torn-write" };
    await review(body("check();"), [at(4, "Torn write", rule)]);
    const far = `${filler(200)}${body("prepareEverything();")}`;
    const reworded = at(204, "Nothing holds these bytes together", rule);
    const second = await review(far, [reworded]);
    close();
    expect(statesOf(second)).toEqual(["persisting"]);
    // Without the outline the same is another one.
    const plain = await open();
    await plain.review(body("check();"), [at(4, "Torn write", rule)]);
    const again = await plain.review(far, [reworded]);
    expect(statesOf(again)).toEqual(["fixed", "new"]);
  });

  it("V-04 in another file, when the code went there within one change", async () => {
    const { ledger } = await open();
    const line = "  if (!existsSync(path)) writeFileSync(path, data);\n";
    const title = "Race between the check and the write of the file";
    const both = (a: string, b: string, path: string) =>
      hold(ledger, {
        subject: wholeFiles({ "a.ts": a, "b.ts": b }),
        said: [{ path, line: 3, title }],
      });
    const with3 = `one();\ntwo();\n${line}four();\n`;
    await both(with3, "other();\n", "a.ts");
    expect(statesOf(await both("other();\n", with3, "b.ts"))).toEqual(["persisting"]);
    // Copied back, it is there twice.
    expect(statesOf(await both(with3, with3, "a.ts"))).toEqual(["fixed", "new"]);
  });

  it("V-04 what was dismissed hides nothing that is only similar", async () => {
    const { ledger, review } = await open();
    const title = "The state file is written without an atomic rename";
    await review(`save(one);\n${filler(5)}`, [at(1, title)]);
    const [found] = await ledger.findings();
    await ledger.dismiss(found!.id, { reason: "not-applicable" });
    const next = await review(`save(one);\nsave(two);\n${filler(5)}`, [at(2, title)]);
    expect(statesOf(next)).toEqual(["new"]);
    const same = await review(`save(one);\n${filler(5)}`, [at(1, title)]);
    expect(statesOf(same)).toEqual(["dismissed", "fixed"]);
  });

  it("V-04 two that become one keep their history, and neither counts as fixed", async () => {
    const { ledger, review } = await open();
    const text = `save(path);\nload(path);\n${filler(4)}`;
    await review(text, [
      at(1, "Alpha storage corrupts quickly", { rule: "r-1" }),
      at(2, "Missing locale fallback", { rule: "r-2" }),
    ]);
    expect(await ledger.findings()).toHaveLength(2);
    const { subject } = { subject: wholeFiles({ "a.ts": text }) };
    const joined = await hold(ledger, {
      subject,
      said: [
        at(1, "Shared state is written by two writers at once", { rule: "r-1" }),
        at(1, "Shared state is written by two writers at once", {
          reviewer: "fd-two",
          line: 2,
          rule: "r-2",
        }),
      ],
    });
    expect(joined.fixed).toEqual([]);
    expect(statesOf(joined)).toEqual(["persisting", "persisting"]);
    expect(await ledger.findings()).toHaveLength(2);
  });
});

describe("V-04 very many findings", () => {
  const count = 10_000;
  const lines = Array.from({ length: count }, (_, at) => at * 10 + 1);
  const known = (at: number, more: Partial<Known>): Known => ({
    ...{ id: `fi_${String(at).padStart(5, "0")}`, keys: new Set<string>(), path: "src/a.js" },
    ...{ line: lines[at] ?? null, lineHash: `old${at}`, symbol: null, kind: null },
    ...{ text: `The handle ${at} is never closed`, isDismissed: false },
    ...more,
  });
  const seen = (at: number, more: Partial<SeenPlace>): Seen => ({
    places: [
      {
        ...{ keys: [], lineHash: `new${at}`, symbol: null, path: "src/a.js", line: lines[at] },
        ...more,
      },
    ],
    kinds: new Set(),
    text: `Handle ${at} is not closed anywhere`,
  });
  const options = { renames: new Map<string, string>(), mayStay: () => true };
  const all = <T>(make: (at: number) => T): T[] => lines.map((_, at) => make(at));

  it("in other words, in one file or in none, do not hold up a transaction", async () => {
    const inFile = () => {
      const matched = matchFindings(
        all((at) => seen(at, {})),
        all((at) => known(at, {})),
        options,
      );
      expect(matched[7]).toEqual(["fi_00007"]);
    };
    expect(await cpuMs(inFile)).toBeLessThan(8_000);
    const inNone = () =>
      matchFindings(
        all((at) => seen(at, { path: undefined, line: undefined, lineHash: null })),
        all((at) => known(at, { path: null, line: null, lineHash: null })),
        options,
      );
    expect(await cpuMs(inNone)).toBeLessThan(12_000);
  }, 300_000);

  it("with one key are told apart by how near they are", async () => {
    const keys = ["lines:same"];
    const work = () => {
      const matched = matchFindings(
        all((at) => seen(at, { keys, line: (lines[at] ?? 0) + 2 })),
        all((at) => known(at, { keys: new Set(keys) })),
        options,
      );
      expect(matched[7]).toEqual(["fi_00007"]);
      expect(new Set(matched.flat()).size).toBe(count);
    };
    expect(await cpuMs(work)).toBeLessThan(8_000);
  }, 300_000);
});
