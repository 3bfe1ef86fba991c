import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { createIdSource } from "../../src/base/ids.ts";
import { parseActor } from "../../src/claims/index.ts";
import { openHeadgate } from "../../src/compose.ts";
import { commitPart } from "../../src/landing/index.ts";
import { openLines } from "../../src/lines/index.ts";
import { linesReport } from "../../src/surfaces/lines-report.ts";
import { countStatements } from "../helpers/counted-store.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const many = 600;
const name = (at: number): string => `folder-${at % 7}/file-${at}.txt`;
const paths = Array.from({ length: many }, (_, at) => name(at));
const committed = Buffer.from("one\ntwo\n");

it.each(backends)(
  "N-01 what is known of many files is one statement, and a look at one of them reads its record only ($name)",
  async (backend) => {
    const { store, scope } = await openScope(await backend.migratedPlace());
    const { seen, proxy } = countStatements(store);
    const place = async () => ({ store: proxy, scope });
    const lines = openLines({
      ...{ open: place, look: place, worktree: "/w", newId: createIdSource(), idleMs: 300_000 },
      read: () => Buffer.from('one\n2 ","runs":[\n'),
    });
    const one = { actor: parseActor("claude:one"), kind: "shell" } as const;
    await lines.noteCommand(
      paths.map((path) => ({ path, committed })),
      one,
    );
    const by = { actor: parseActor("claude:two"), kind: "edit", use: "t" } as const;
    const count = async (work: () => Promise<unknown>): Promise<typeof seen> => {
      Object.assign(seen, { transactions: 0, statements: 0, rows: 0 });
      await work();
      return { ...seen };
    };
    expect(await count(async () => expect((await lines.noted()).size).toBe(many))).toEqual({
      ...{ transactions: 1, statements: 1, rows: many },
    });
    const [edit] = (await lines.noted()).get(name(3))?.edits ?? [];
    expect(edit).toMatchObject({ actor: "claude:one", kind: "shell" });
    const single = await count(() => lines.records([name(3)]));
    expect(single).toEqual({ transactions: 1, statements: 1, rows: 0 });
    // Nothing of the session's own was written onto lines of others: no record is read.
    const { rows } = await count(() => lines.ground(by, false));
    expect(rows).toBeLessThanOrEqual(many + 10);
  },
);

it("N-01 with many dirty files status starts no git for files that did not change since, and a commit looks at its own", async () => {
  const root = makeRepository(join(temporaryFolder(), "repo"));
  for (const path of paths) put(join(root, path), committed.toString());
  put(join(root, "own.txt"), "mine\n");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "Many");
  for (const path of paths) put(join(root, path), "one\n2\n");
  const environment = { ...systemEnvironment(), cwd: root };
  const headgate = await openHeadgate({ repo: root, actor: "claude:mine", environment });
  onTestFinished(() => headgate.close());
  const { lines } = headgate;
  const isLater = systemClock.wallMs();
  while (systemClock.wallMs() <= isLater + 2) await sleep(1);
  const theirs = { actor: parseActor("claude:theirs"), kind: "shell" } as const;
  await lines.noteCommand(
    paths.map((path) => ({ path, committed })),
    theirs,
  );
  put(join(root, "own.txt"), "mine\nmore\n");
  await lines.noteCommand([{ path: "own.txt", committed: Buffer.from("mine\n") }], {
    ...{ actor: parseActor("claude:mine"), kind: "shell" },
  });
  let started = 0;
  const note = (): void => void (started += 1);
  subscribe("child_process", note);
  onTestFinished(() => void unsubscribe("child_process", note));

  const report = await linesReport(headgate);
  expect(report.map(({ session, files }) => [session, files.length])).toContainEqual([
    ...["claude:theirs", many],
  ]);
  // Only the file that was written in the same moment may have been looked at.
  expect(started).toBeLessThanOrEqual(3);
  started = 0;
  const ports = {
    ...{ repository: headgate.repository, environment, clock: systemClock, lines },
    claims: headgate.claims,
    outline: () => expect.fail("no file has lines of both"),
  };
  const planned = await commitPart(ports, { message: "x", isDryRun: true });
  expect(planned).toMatchObject({ ok: true, files: [{ path: "own.txt", hunks: 1, left: [] }] });
  expect(started).toBeLessThanOrEqual(5);
  const wish = { message: "x", isDryRun: true, along: ["claude:theirs"] };
  const withTheirs = await commitPart(ports, wish);
  expect(withTheirs.ok && withTheirs.files).toHaveLength(many + 1);
  // However many files: one reading of the tree and one of the contents.
  expect(started).toBeLessThanOrEqual(10);

  // Changed since: the record alone does not say it any more.
  put(join(root, name(5)), committed.toString());
  const after = (await linesReport(headgate)).find(({ session }) => session === "claude:theirs");
  expect(after?.files).toHaveLength(many - 1);
});
