import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanWeave,
  committedLines,
  currentLines,
  editsMet,
  isClean,
  partLines,
  rebase,
  settle,
  weaveContent,
  withGround,
} from "../../src/lines/weave.ts";
import { diffLines } from "../../src/lines/line-diff.ts";
import { lineSpans } from "../../src/lines/spans.ts";
import type { LineEdit, Weave } from "../../src/lines/types.ts";

const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

let count = 0;
const edit = (session: string): LineEdit => ({
  id: `e${(count += 1)}`,
  actor: session,
  session,
  kind: "edit",
  at: count,
  onto: [],
});
const write = (weave: Weave, text: string | undefined, by: LineEdit): Weave =>
  weaveContent(weave, text === undefined ? undefined : lines(text), by);
const of = (weave: Weave, session: string): string[] =>
  weave.edits.filter((one) => one.session === session).map(({ id }) => id);
const part = (weave: Weave, session: string): string | undefined =>
  partLines(weave, withGround(weave, of(weave, session)))?.join("");

describe("N-01 a weave knows whose every line is", () => {
  const base = "a\nb\nc\nd\ne\nf\n";

  test("a line of another that was moved, at once or by two edits, has no author; it goes along with the move", () => {
    const start = write(cleanWeave(lines(base)), "a\nnew one\nb\nc\nd\ne\nf\n", edit("ada"));
    const names = (weave: Weave): (string | undefined)[] =>
      lineSpans(weave).map(({ edit: by }) => by.session);
    expect(names(start)).toEqual(["ada"]);
    const moved = "a\nb\nc\nd\ne\nnew one\nbob\nf\n";
    const atOnce = write(start, moved, edit("bob"));
    const cut = write(start, base, edit("bob"));
    for (const weave of [atOnce, write(cut, moved, edit("bob"))]) {
      expect(names(weave)).toEqual(["", "bob"]);
      expect(part(weave, "bob")).toBe(moved);
      expect(part(weave, "ada")).toBe("a\nnew one\nb\nc\nd\ne\nf\n");
      const rest = settle(weave, withGround(weave, of(weave, "ada")));
      expect(part(rest, "bob")).toBe(moved);
      expect(isClean(settle(rest, withGround(rest, of(rest, "bob"))))).toBe(true);
    }
    // And back again: it is not the mover's then, either.
    const back = write(atOnce, "a\nnew one\nb\nc\nd\ne\nf\n", edit("bob"));
    expect(names(back)).not.toContain("bob");
  });

  test("N-02 the own part is the commit with the own lines and no others", () => {
    let weave = cleanWeave(lines(base));
    weave = write(weave, "a\nB1\nc\nd\ne\nf\n", edit("ann"));
    weave = write(weave, "a\nB1\nc\nd\nE2\nf\ng\n", edit("bob"));
    expect(part(weave, "ann")).toBe("a\nB1\nc\nd\ne\nf\n");
    expect(part(weave, "bob")).toBe("a\nb\nc\nd\nE2\nf\ng\n");
    expect(part(weave, "cid")).toBe(base);
    const later = settle(weave, new Set(of(weave, "ann")));
    expect(committedLines(later)?.join("")).toBe("a\nB1\nc\nd\ne\nf\n");
    expect(currentLines(later)?.join("")).toBe("a\nB1\nc\nd\nE2\nf\ng\n");
    expect(of(later, "ann")).toEqual([]);
  });

  test("N-02 a line written into another's edit brings that edit along, and nothing younger", () => {
    let weave = cleanWeave(lines(base));
    weave = write(weave, "a\nx1\nx2\nx3\nb\nc\nd\ne\nf\n", edit("ann"));
    weave = write(weave, "a\nx1\nmine\nx3\nb\nc\nd\ne\nf\n", edit("bob"));
    weave = write(weave, "a\nx1\nmine\nx3\nb\nc\nd\ne\nf\nlater\n", edit("ann"));
    expect(part(weave, "bob")).toBe("a\nx1\nmine\nx3\nb\nc\nd\ne\nf\n");
    expect(part(weave, "ann")).toBe("a\nx1\nx2\nx3\nb\nc\nd\ne\nf\nlater\n");
  });

  test("N-02 a deletion of another's line does not go along with one's next commit", () => {
    let weave = cleanWeave(lines(base));
    weave = write(weave, "a\nnew\nb\nc\nd\ne\nf\n", edit("ann"));
    weave = write(weave, base, edit("bob"));
    const afterAnn = settle(weave, withGround(weave, of(weave, "ann")));
    expect(committedLines(afterAnn)?.join("")).toBe("a\nnew\nb\nc\nd\ne\nf\n");
    expect(part(afterAnn, "bob")).toBe(base);
  });

  test("N-08 two that only add at one place pass each other; touching a replaced line does not", () => {
    let weave = cleanWeave(lines(base));
    const ann = edit("ann");
    weave = write(weave, "a\nadded\nb\nc\nd\ne\nf\n", ann);
    const hunks = (text: string) => diffLines(currentLines(weave) ?? [], lines(text));
    expect([...editsMet(weave, hunks("a\nadded\nother\nb\nc\nd\ne\nf\n"))]).toEqual([]);
    expect([...editsMet(weave, hunks("a\nadded\nB\nc\nd\ne\nf\n"))]).toEqual([ann.id]);
    expect([...editsMet(weave, hunks("a\nadded\nb\nc\nd\nE\nf\n"))]).toEqual([]);
    weave = cleanWeave(lines(base));
    weave = write(weave, "a\nreplaced\nc\nd\ne\nf\n", edit("ann"));
    expect(editsMet(weave, hunks("a\nreplaced\nother\nc\nd\ne\nf\n")).size).toBe(1);
    expect(editsMet(weave, hunks("a\nreplaced\nc\nother\nd\ne\nf\n")).size).toBe(0);
  });

  test("N-08 an equal end line does not cut another's block in two", () => {
    let weave = cleanWeave(lines("start\nend\n"));
    weave = write(weave, "start\nit(1) {\n  one\n}\nend\n", edit("ann"));
    const bob = edit("bob");
    weave = write(weave, "start\nit(1) {\n  one\n}\nit(2) {\n  two\n}\nend\n", bob);
    expect(weave.edits.find(({ id }) => id === bob.id)?.onto).toEqual([]);
    expect(part(weave, "bob")).toBe("start\nit(2) {\n  two\n}\nend\n");
    expect(part(weave, "ann")).toBe("start\nit(1) {\n  one\n}\nend\n");
  });

  test("N-09 what is written back as it was leaves nothing behind", () => {
    let weave = cleanWeave(lines(base));
    weave = write(weave, "a\nd\ne\nf\n", edit("ann"));
    weave = write(weave, base, edit("ann"));
    expect(isClean(weave)).toBe(true);
  });

  test("N-02 files that come and go", () => {
    let weave = cleanWeave(undefined);
    weave = write(weave, "new\n", edit("ann"));
    weave = write(weave, "new\nmore\n", edit("bob"));
    expect(part(weave, "cid")).toBeUndefined();
    expect(part(weave, "ann")).toBe("new\n");
    expect(part(weave, "bob")).toBe("new\nmore\n");
    const gone = write(cleanWeave(lines(base)), undefined, edit("ann"));
    expect(part(gone, "ann")).toBeUndefined();
    expect(part(gone, "bob")).toBe(base);
    expect(isClean(settle(gone, new Set(of(gone, "ann"))))).toBe(true);
    const empty = write(cleanWeave(undefined), "", edit("ann"));
    expect(part(empty, "ann")).toBe("");
    expect(part(empty, "bob")).toBeUndefined();
  });

  test("N-01 a commit that nobody told of: what is equal is committed, the rest keeps its author or has none", () => {
    let weave = cleanWeave(lines(base));
    weave = write(weave, "a\nX\nb\nc\nd\ne\nf\nY\n", edit("ann"));
    const moved = rebase(weave, lines("a\nX\nb\nc\nd\ne2\nf\n"), { ...edit(""), kind: "unknown" });
    expect(currentLines(moved)?.join("")).toBe("a\nX\nb\nc\nd\ne\nf\nY\n");
    expect(committedLines(moved)?.join("")).toBe("a\nX\nb\nc\nd\ne2\nf\n");
    const live = moved.rows.filter(({ gone }) => gone === null);
    const author = (text: string) => {
      const by = live.find((row) => row.text === text)?.by ?? null;
      return moved.edits.find(({ id }) => id === by)?.kind;
    };
    expect([author("X\n"), author("Y\n"), author("e\n")]).toEqual([undefined, "edit", "unknown"]);
  });

  test("N-01 a new file that another deleted stays deleted, whatever happens below", () => {
    let weave = write(cleanWeave(undefined), "x\n", edit("ann"));
    weave = write(weave, undefined, edit("bob"));
    const moved = rebase(weave, undefined, { ...edit(""), kind: "unknown" });
    expect(moved.died).toBe(weave.died);
    expect(part(moved, "bob")).toBe(undefined);
  });

  test("N-09 lines that their writer took away again leave nothing", () => {
    let weave = write(cleanWeave(lines(base)), `${base}x\n`, edit("ann"));
    weave = write(weave, base, edit("ann"));
    expect(isClean(weave)).toBe(true);
    weave = write(cleanWeave(undefined), "x\n", edit("ann"));
    weave = write(weave, undefined, edit("ann"));
    expect([isClean(weave), currentLines(weave)]).toEqual([true, undefined]);
  });

  test("N-01 N-03 random edits and commits: no wrong name, nothing lost, all can be committed", () => {
    const sessions = ["ann", "bob", "cid"];
    const step = fc.record({
      who: fc.constantFrom(...sessions),
      kind: fc.constantFrom("edit", "edit", "edit", "edit", "commit", "remove", "moved"),
      at: fc.nat(30),
      takes: fc.nat(4),
      adds: fc.nat(4),
      plain: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let number = 0;
        let weave = cleanWeave(["0\n", "}\n", "1\n", "\n", "}\n", "2\n"]);
        const written = new Map<string, string>();
        for (const { who, kind, at, takes, adds, plain } of steps) {
          const now = currentLines(weave);
          if (kind === "commit") {
            const ids = withGround(weave, of(weave, who));
            const wanted = partLines(weave, ids)?.join("");
            weave = settle(weave, ids);
            expect(committedLines(weave)?.join("")).toBe(wanted);
            expect(currentLines(weave)).toEqual(now);
            expect(of(weave, who)).toEqual([]);
            continue;
          }
          if (kind === "moved") {
            const to = (committedLines(weave) ?? []).filter((_, index) => index !== at);
            const unknown: LineEdit = { ...edit(""), kind: "unknown" };
            const inCommit = committedLines(weave) === undefined ? undefined : to;
            weave = rebase(weave, inCommit, unknown);
            expect(committedLines(weave)).toEqual(inCommit);
            expect(currentLines(weave)).toEqual(now);
            continue;
          }
          const next = [...(now ?? [])];
          const news = Array.from({ length: adds }, (_, index) => {
            if (plain && index % 2 === 0) return "}\n";
            const text = `${who}${(number += 1)}\n`;
            written.set(text, who);
            return text;
          });
          next.splice(Math.min(at, next.length), takes, ...news);
          weave = weaveContent(weave, kind === "remove" ? undefined : next, edit(who));
          expect(currentLines(weave)).toEqual(kind === "remove" ? undefined : next);
        }
        const names = new Map(weave.edits.map(({ id, session }) => [id, session]));
        for (const { text, by } of weave.rows) {
          const author = written.get(text);
          if (author === undefined || by === null) continue;
          const named = names.get(by);
          expect([author, ""]).toContain(named);
        }
        for (const who of [...sessions, ""])
          weave = settle(weave, withGround(weave, of(weave, who)));
        expect(weave.edits).toEqual([]);
        expect(committedLines(weave)).toEqual(currentLines(weave));
      }),
      { numRuns: 400 },
    );
  });
});
