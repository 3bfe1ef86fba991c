import fc from "fast-check";
import { expect, test } from "vitest";
import { createIdSource } from "../../src/base/ids.ts";
import { parseActor } from "../../src/claims/index.ts";
import { openLines, partLines, toBytes, withGround } from "../../src/lines/index.ts";
import { movableClock } from "../helpers/claims.ts";
import { countRounds } from "../helpers/rounds.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

/**
 * Three sessions edit one file at once. Hook, write and hook of one edit come between those of the others, and a
 * write may be seen when half of it is done. Every line names its author, so whose it is is known without the
 * product.
 */
const [sqlite = backends[0]!] = backends;
const names = ["ada", "bob", "cyd"] as const;
const before = (name: string, n: number): string => `  "${name}_${n}_old",\n`;
const after = (name: string, n: number): string =>
  `  "${name}_${n}_new",\n  "${name}_${n}_more",\n`;
const numbers = [1, 2, 3] as const;
const start = numbers
  .map((n) => `const list${n} = [\n${names.map((name) => before(name, n)).join("")}];\n`)
  .join("\n");

type Phase = "free" | "allowed" | "half written" | "written" | "failed";
interface Session {
  readonly name: string;
  phase: Phase;
  /** The edit it is at. */
  n: number;
  use: string;
}

/** Who goes on, what it chooses where it can, and how much of a write is seen first; 1: it is seen whole. */
const move = fc.record({
  who: fc.nat({ max: names.length - 1 }),
  choice: fc.nat({ max: 9 }),
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 0.99, noNaN: true })),
});

const openFile = async () => {
  const clock = movableClock();
  const { store, scope } = await openScope(await sqlite.migratedPlace(), { clock });
  let [tree, head] = [start, start];
  /** What the file will be when the write that is under way ends. */
  let whole: string | undefined;
  let uses = 0;
  const lines = openLines({
    ...{ open: async () => ({ store, scope }), look: async () => ({ store, scope }) },
    ...{
      worktree: "/one",
      newId: createIdSource(),
      read: () => Buffer.from(tree),
      idleMs: 300_000,
    },
  });
  const by = ({ name, use }: Session) =>
    ({ actor: parseActor(`claude:${name}`), kind: "edit", use }) as const;

  const ask = async (session: Session, choice: number) => {
    const open = numbers.filter((n) => tree.includes(before(session.name, n)));
    const n = open[choice % open.length];
    if (n === undefined) return;
    session.use = `use-${(uses += 1)}`;
    session.n = n;
    const made = Buffer.from(tree.replace(before(session.name, n), after(session.name, n)));
    const write = { path: "f", before: Buffer.from(tree), after: made, isEdit: true };
    const answer = await lines.ask([write], by(session));
    if (whole !== undefined)
      expect(answer).toMatchObject({ ok: false, blockers: [], isStale: true });
    if (answer.ok) session.phase = choice === 9 ? "failed" : "allowed";
  };
  const commit = async ({ name }: Session) => {
    const weave = (await lines.refresh(new Map([["f", Buffer.from(head)]]))).get("f")!.weave;
    const own = weave.edits.filter(({ session }) => session === `claude:${name}`);
    const edits = withGround(
      weave,
      own.map(({ id }) => id),
    );
    const part = toBytes(partLines(weave, edits) ?? []);
    head = part.toString();
    await lines.committed(new Map([["f", part]]), () => [edits]);
  };
  const write = ({ name, n }: Session, share: number): Phase => {
    const made = tree.replace(before(name, n), after(name, n));
    tree = made.slice(0, Math.floor(share * made.length));
    if (tree === made) return "written";
    whole = made;
    return "half written";
  };

  return {
    head: () => head,
    tree: () => tree,
    step: async (session: Session, { choice, share }: { choice: number; share: number }) => {
      clock.forward(200);
      const { phase } = session;
      if (phase === "free") {
        if (choice === 0) await commit(session);
        else await ask(session, choice);
      } else if (phase === "half written") {
        tree = whole ?? tree;
        whole = undefined;
        session.phase = "written";
      } else if (phase === "allowed") {
        // Two that write the same bytes at the same moment lose each other's, with or without us.
        if (whole === undefined) session.phase = write(session, share);
      } else {
        await lines.note(["f"], { ...by(session), hasFailed: phase === "failed" });
        session.phase = "free";
      }
    },
    checkAuthors: async () => {
      const weave = (await lines.record("f"))?.weave;
      const authors = new Map(weave?.edits.map((edit) => [edit.id, edit.session]));
      for (const { text, by: id } of weave?.rows ?? []) {
        if (id !== null)
          expect([text, authors.get(id)]).toEqual([text, `claude:${text.slice(3, 6)}`]);
      }
    },
  };
};

test("N-01 lines that were asked for always have their author, however the hooks and halves of writes interleave", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 80 }), async (moves) => {
      const file = await openFile();
      const sessions = names.map((name): Session => ({ name, phase: "free", n: 0, use: "" }));
      for (const { who, ...rest } of moves) {
        await file.step(sessions[who]!, rest);
        await file.checkAuthors();
      }
      for (const session of sessions) {
        while (session.phase !== "free") {
          for (const one of sessions)
            if (one.phase !== "free") await file.step(one, { choice: 1, share: 1 });
        }
      }
      await file.checkAuthors();
      for (const session of sessions) await file.step(session, { choice: 0, share: 1 });
      expect(file.head()).toBe(file.tree());
    }),
    { numRuns: countRounds("schedules of writes that are seen half", 400) },
  );
}, 600_000);
