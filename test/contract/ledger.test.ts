import { describe, expect, it } from "vitest";
import { HeadgateError } from "../../src/errors.ts";
import type { LedgerOptions, Outcome, SubjectFile } from "../../src/review/index.ts";
import { openLedger, synthesizeReports } from "../../src/review/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { hold, reportsOf, wholeFiles } from "../review/ledger/scene.ts";
import { countStatements } from "../helpers/counted-store.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const code = [
  "import fs from 'fs';",
  "export function save(path, data) {",
  "  if (fs.existsSync(path)) return;",
  "  fs.writeFileSync(path, data);",
  "}",
  "export function load(path) {",
  "  return fs.readFileSync(path);",
  "}",
  "",
].join("\n");
const race = {
  title: "Check then act on the file",
  path: "src/a.js",
  line: 3,
  rule: "check-then-act",
};
const torn = { title: "State written in place, not atomic", path: "src/a.js", line: 4 };
const files = { "src/a.js": code };

describe.each(backends)("the ledger on $name", ({ migratedPlace: newPlace }) => {
  const open = async (more: Partial<LedgerOptions> = {}) => {
    const { store: plain, scope: known } = await openScope(await newPlace());
    const { seen, proxy } = countStatements(plain);
    const there = { store: proxy, scope: known };
    const outcomes: Outcome[] = [];
    const ledger = openLedger({
      place: { open: async () => there, look: async () => there },
      actor: "alice",
      session: "s1",
      onOutcome: async (_tx, _scope, outcome) => {
        outcomes.push(outcome);
      },
      ...more,
    });
    const events = async (kind = "*") =>
      (await there.store.readEvents({ scope: there.scope, kind, limit: 1000 })).events.filter(
        (event) => event.kind !== "scope.created",
      );
    return { ...there, ledger, outcomes, events, seen };
  };

  it("V-04 keeps a review with its reviewers, and an event for every change", async () => {
    const { store, scope, ledger, events } = await open();
    const subject = { ...wholeFiles(files), head: "a".repeat(40) };
    const { id } = await ledger.begin({
      subject,
      reviewers: [{ reviewer: "fd-one", runner: "exec", stage: 1 }],
      request: { budget: 2 },
    });
    expect(await ledger.note(id, { reviewer: "fd-one", state: "running", inputTokens: 10 })).toBe(
      true,
    );
    expect(await ledger.note(id, { reviewer: "fd-one", state: "running", inputTokens: 10 })).toBe(
      false,
    );
    expect(await ledger.note(id, { reviewer: "fd-two", stage: 2, shadow: true })).toBe(true);
    const [report] = reportsOf(id, { subject, said: [race] });
    const answer = {
      reviewer: "fd-one",
      model: "m-1",
      inputTokens: 1000,
      outputTokens: 50,
      costUsd: 0.0123,
      report: report!,
      text: "the text\u0000 \ud800 of the report",
    };
    expect(await ledger.saveReport(id, answer)).toBe(true);
    expect(await ledger.saveReport(id, answer)).toBe(false);
    const synthesis = synthesizeReports([report!]);
    const input = { synthesis, findings: report!.findings, subject };
    const finished = await ledger.finish(id, input);
    expect(finished.review).toMatchObject({
      id,
      state: "done",
      actor: "alice",
      subject: "src",
      head: "a".repeat(40),
      verdict: "go",
      counts: { clusters: 1 },
      costUsd: 0.0123,
      tokens: 1050,
      inputDigest: synthesis.inputDigest,
      reviewers: [
        {
          reviewer: "fd-one",
          runner: "exec",
          model: "m-1",
          state: "done",
          report: "strict",
          findings: 1,
          shadow: false,
        },
        { reviewer: "fd-two", stage: 2, shadow: true, state: "waiting", report: null },
      ],
    });
    expect(await ledger.list()).toEqual([finished.review]);
    expect(await ledger.show(id.slice(0, 12))).toMatchObject({
      reports: [report],
      findings: [{ title: race.title, stateThen: "new", reviewers: ["fd-one"] }],
    });
    // Again: nothing new, the same answer.
    expect(await ledger.finish(id, input)).toEqual(finished);
    expect((await events()).map(({ kind }) => kind)).toEqual([
      "review.started",
      "review.noted",
      "review.noted",
      "review.reported",
      "review.finished",
    ]);
    await expect(ledger.saveReport(id, answer)).rejects.toMatchObject({ code: "REVIEW_ENDED" });
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  });

  it("V-04 a finding is new, persists, is fixed, and regresses", async () => {
    const { ledger } = await open();
    const first = await hold(ledger, { subject: wholeFiles(files), said: [race, torn] });
    expect([...first.states.values()]).toEqual(["new", "new"]);
    const ids = [...first.states.keys()];
    // Lines moved, and other words for what is said about one of them.
    const moved = { "src/a.js": `// header\n// more\n${code}` };
    const second = await hold(ledger, {
      subject: wholeFiles(moved),
      said: [
        { ...race, line: 5 },
        { ...torn, title: "The state is not written atomically", line: 6 },
      ],
    });
    expect([...second.states.keys()].toSorted()).toEqual(ids.toSorted());
    expect([...second.states.values()]).toEqual(["persisting", "persisting"]);
    const third = await hold(ledger, {
      subject: wholeFiles(moved),
      said: [{ ...race, line: 5 }],
      asked: ["fd-one"],
    });
    expect(third.fixed).toMatchObject([{ state: "fixed", line: 6, lastReview: second.review.id }]);
    const fourth = await hold(ledger, { subject: wholeFiles(files), said: [race, torn] });
    expect([...fourth.states.values()].toSorted()).toEqual(["persisting", "regressed"]);
    expect(await ledger.findings()).toHaveLength(2);
    const { sightings } = await ledger.finding(third.fixed[0]!.id);
    expect(sightings.map(({ state }) => state)).toEqual(["new", "persisting", "regressed"]);
    expect(await ledger.diff(third.review.id, fourth.review.id)).toMatchObject({
      added: [{ stateThen: "regressed" }],
      gone: [],
      kept: [{ title: race.title }],
    });
    expect(await ledger.diff(second.review.id, third.review.id)).toMatchObject({
      added: [],
      gone: [{ id: third.fixed[0]!.id }],
    });
  });

  it("V-04 to accept what is fixed says that it was right and does not open it again", async () => {
    const { ledger } = await open();
    const subject = wholeFiles(files);
    await hold(ledger, { subject, said: [race, torn] });
    const { fixed } = await hold(ledger, { subject, said: [race], asked: ["fd-one"] });
    const { id } = fixed[0]!;
    const accepted = await ledger.accept(id, { note: "it was right" });
    expect(accepted).toMatchObject({ id, state: "fixed", decision: { note: "it was right" } });
    expect(await ledger.accept(id, { note: "it was right" })).toEqual(accepted);
    // Seen again, it has come back, whatever was said about it.
    const again = await hold(ledger, { subject, said: [race, torn] });
    expect(again.states.get(id)).toBe("regressed");
  });

  it("V-04 silence means fixed only from the same reviewer, answering in full, about that place", async () => {
    const { ledger } = await open();
    const said = [{ ...race, reviewer: "fd-one" }];
    await hold(ledger, { subject: wholeFiles(files), said });
    const quiet = async (scene: Partial<Parameters<typeof hold>[1]>) => {
      await hold(ledger, { subject: wholeFiles(files), said: [], ...scene });
      return (await ledger.findings())[0]!.state;
    };
    expect(await quiet({ asked: ["fd-two"] })).toBe("new");
    expect(await quiet({ asked: ["fd-one"], states: { "fd-one": "truncated" } })).toBe("new");
    expect(await quiet({ asked: ["fd-one"], states: { "fd-one": "empty" } })).toBe("new");
    expect(await quiet({ asked: ["fd-one"], subject: wholeFiles({ "src/b.js": code }) })).toBe(
      "new",
    );
    expect(await quiet({ asked: ["fd-one"], skips: () => true })).toBe("new");
    const elsewhere = {
      ...wholeFiles(files),
      kind: "change" as const,
      files: [
        {
          path: "src/a.js",
          status: "modified" as const,
          hunks: [
            {
              oldStart: 7,
              oldLines: 1,
              newStart: 7,
              newLines: 1,
              section: "",
              lines: ["-a", "+b"],
            },
          ],
          after: code,
        },
      ],
    };
    expect(await quiet({ asked: ["fd-one"], subject: elsewhere })).toBe("new");
    expect(await quiet({ asked: ["fd-one"] })).toBe("fixed");
  });

  it("V-04 a renamed file keeps its findings, a copy gets its own", async () => {
    const gone = new Set<string>();
    const { ledger } = await open({ exists: (path) => !gone.has(path) });
    const first = await hold(ledger, { subject: wholeFiles(files), said: [race] });
    const [id] = first.states.keys();
    await ledger.dismiss(id!, { reason: "wrong" });
    const copied = { ...race, path: "src/copy.js" };
    const copy = await hold(ledger, {
      subject: wholeFiles({ "src/copy.js": code }),
      said: [copied],
    });
    expect([...copy.states.values()]).toEqual(["new"]);
    gone.add("src/a.js");
    const renamed = { ...race, path: "src/moved.js" };
    const third = await hold(ledger, {
      subject: wholeFiles({ "src/moved.js": code }),
      said: [renamed],
    });
    expect([...third.states]).toEqual([[id, "dismissed"]]);
    expect((await ledger.finding(id!)).finding).toMatchObject({ path: "src/moved.js" });
  });

  it("V-04 twins in one file keep their identities when one of them goes", async () => {
    const { ledger } = await open();
    const block = "try {\n  run();\n} catch {}\n";
    const text = `${block}a();\n${block}b();\n${block}`;
    const twin = { title: "Swallowed error", rule: "swallowed-error", path: "x.js" };
    const said = [3, 7, 11].map((line) => ({ ...twin, line }));
    const first = await hold(ledger, { subject: wholeFiles({ "x.js": text }), said });
    expect(first.states.size).toBe(3);
    const identities = (await ledger.findings()).map(({ identity }) => identity);
    expect(new Set(identities).size).toBe(3);
    const byLine = new Map((await ledger.findings()).map(({ line, id }) => [line, id]));
    const less = `${block}a();\nb();\n${block}`;
    const second = await hold(ledger, {
      subject: wholeFiles({ "x.js": less }),
      said: [3, 8].map((line) => ({ ...twin, line })),
    });
    expect(second.fixed).toHaveLength(1);
    expect(second.states.get(byLine.get(3)!)).toBe("persisting");
  });

  it("V-04 decisions: dismissed stays dismissed, evidence goes out once per reviewer", async () => {
    const { ledger, outcomes, events } = await open();
    const both = ["fd-one", "fd-two"].map((reviewer) => ({ ...race, reviewer }));
    const { states } = await hold(ledger, { subject: wholeFiles(files), said: [...both, torn] });
    expect(states.size).toBe(2);
    const [found] = await ledger.findings({ path: "src", reviewer: "fd-two" });
    expect(found).toMatchObject({ title: race.title, reviewers: ["fd-one", "fd-two"] });
    const dismissed = await ledger.dismiss(found!.id, {
      reason: "not-applicable",
      note: "single user",
    });
    expect(dismissed).toMatchObject({
      state: "dismissed",
      decision: { by: "alice", reason: "not-applicable", note: "single user" },
    });
    await ledger.dismiss(found!.id, { reason: "not-applicable", note: "single user" });
    expect(outcomes.map(({ reviewer, outcome }) => [reviewer, outcome])).toEqual([
      ["fd-one", "dismissed"],
      ["fd-two", "dismissed"],
    ]);
    expect(outcomes[0]).toMatchObject({
      reason: "not-applicable",
      session: "s1",
      severity: "P2",
      path: "src/a.js",
      model: "fd-one-model",
      finding: found!.id,
      change: wholeFiles(files).digest,
    });
    const again = await hold(ledger, { subject: wholeFiles(files), said: both });
    expect(again.states.get(found!.id)).toBe("dismissed");
    const later = await hold(ledger, { subject: wholeFiles(files), said: [torn] });
    expect(later.states.get(found!.id)).toBeUndefined();
    expect((await ledger.finding(found!.id)).finding.state).toBe("dismissed");
    const other = (await ledger.findings({ state: ["persisting", "fixed", "regressed"] }))[0]!;
    await ledger.accept(other.id);
    await ledger.accept(other.id);
    expect(await events("finding.*")).toMatchObject([
      { kind: "finding.dismissed", subject: found!.id },
      { kind: "finding.accepted", subject: other.id },
    ]);
    await expect(ledger.accept("zzzz")).rejects.toMatchObject({ code: "FINDING_UNKNOWN" });
    await expect(ledger.accept("")).rejects.toMatchObject({ code: "FINDING_UNKNOWN" });
    const filtered = await ledger.findings({ severity: ["P0", "P1"] });
    expect(filtered).toEqual([]);
    expect(await ledger.findings({ review: later.review.id })).toHaveLength(1);
  });

  it("V-04 what is dismissed blocks no verdict; another finding in its cluster does", async () => {
    const { ledger } = await open();
    const said = [{ ...race, severity: "P1" as const }];
    const first = await hold(ledger, { subject: wholeFiles(files), said });
    expect(first.review).toMatchObject({ verdict: "needs-changes" });
    const [known] = await ledger.findings();
    await ledger.dismiss(known!.id, { reason: "wrong" });
    const again = await hold(ledger, { subject: wholeFiles(files), said });
    expect(again.review).toMatchObject({ verdict: "go", counts: { dismissed: 1 } });
    const torn1 = { ...torn, severity: "P1" as const };
    const more = await hold(ledger, { subject: wholeFiles(files), said: [...said, torn1] });
    expect(more.review).toMatchObject({ verdict: "needs-changes", counts: { dismissed: 1 } });
  });

  it("V-01 keeps who was considered and how reviewers did on planted faults; the newest trial counts", async () => {
    const { ledger, events } = await open();
    const { id } = await ledger.begin({ subject: wholeFiles(files) });
    const decision = { state: "left-out", why: "its score is under 1" } as const;
    const considered = [
      { reviewer: "safety", kind: "built-in", score: 0.5, terms: [], decision } as const,
    ];
    expect(await ledger.keepTriage(id, considered)).toBe(true);
    expect(await ledger.keepTriage(id, [])).toBe(false);
    expect((await ledger.show(id)).considered).toEqual(considered);
    const probed = { reviewer: "fd-x", planted: 2, found: [], missed: ["a", "b"], clean: 1 };
    const tried = { runner: "r", family: "f", instructions: "0".repeat(64) };
    await ledger.recordProbe({ probed: { ...probed, alarms: [], qualified: false }, ...tried });
    const better = { ...probed, found: ["a", "b"], missed: [], alarms: [], qualified: true };
    await ledger.recordProbe({ probed: better, ...tried });
    expect(await ledger.probes()).toMatchObject([{ ...better, ...tried }]);
    expect(await events("reviewer.probed")).toHaveLength(2);
    expect(await events("review.triaged")).toMatchObject([{ data: { considered: 1, asked: [] } }]);
  });

  it("V-04 an empty id is nobody's, also where there is one finding only", async () => {
    const { ledger } = await open();
    await hold(ledger, { subject: wholeFiles(files), said: [race] });
    for (const id of ["", "fi_"]) {
      const refused = ledger.dismiss(id, { reason: "wrong" });
      await expect(refused).rejects.toMatchObject({ code: "FINDING_UNKNOWN" });
    }
    for (const id of ["", "re_"]) {
      await expect(ledger.show(id)).rejects.toMatchObject({ code: "REVIEW_UNKNOWN" });
    }
  });

  it("V-04 two that finish at once take the same problem for the same", async () => {
    const place = await newPlace();
    const ledgers = await Promise.all(
      ["alice", "bob", "carol", "dave"].map(async (actor) => {
        const there = await openScope(place);
        return openLedger({ place: { open: async () => there, look: async () => there }, actor });
      }),
    );
    const finished = await Promise.all(
      ledgers.map((ledger) => hold(ledger, { subject: wholeFiles(files), said: [race, torn] })),
    );
    expect(await ledgers[0]!.findings()).toHaveLength(2);
    const states = finished.flatMap((one) => [...one.states.values()]);
    expect(states.filter((state) => state === "new")).toHaveLength(2);
    expect(states.filter((state) => state === "persisting")).toHaveLength(6);
  });

  it("V-04 what a failing evidence store refuses is not decided either", async () => {
    const { ledger, events } = await open({
      onOutcome: async () => {
        throw new HeadgateError("STORE_IO", "no evidence");
      },
    });
    await hold(ledger, { subject: wholeFiles(files), said: [race] });
    const [found] = await ledger.findings();
    await expect(ledger.accept(found!.id)).rejects.toThrow("no evidence");
    expect((await ledger.findings())[0]!.state).toBe("new");
    expect(await events("finding.*")).toEqual([]);
  });

  it("V-04 an interrupted review is resumed with the answers that are there", async () => {
    const { ledger, events } = await open();
    const subject = wholeFiles(files);
    const { id } = await ledger.begin({ subject, request: { reviewers: ["a", "b"] } });
    const [report] = reportsOf(id, { subject, said: [race] });
    await ledger.saveReport(id, { reviewer: "fd-one", report: report!, text: "kept" });
    await ledger.note(id, { reviewer: "fd-two", state: "running" });
    expect(await ledger.interrupt(id, { problem: "Ctrl-C" })).toBe(true);
    expect(await ledger.interrupt(id, { problem: "Ctrl-C" })).toBe(false);
    expect(await ledger.list()).toMatchObject([{ state: "interrupted", problem: "Ctrl-C" }]);
    const resumed = await ledger.resume(id.slice(3, 14));
    expect(resumed).toMatchObject({
      review: { id, state: "running", reviewers: [{ state: "done" }, { state: "waiting" }] },
      request: { reviewers: ["a", "b"] },
      answers: [{ reviewer: "fd-one", text: "kept", report }],
    });
    expect((await events("review.*")).map(({ kind }) => kind)).toContain("review.resumed");
    await expect(ledger.resume("re_000")).rejects.toMatchObject({ code: "REVIEW_UNKNOWN" });
  });

  it("V-04 a review that somebody may be working on is not taken away, unless it is interrupted", async () => {
    const process = { host: "elsewhere", bootId: "b", pid: 1, startTime: "1" };
    const { ledger, store, scope } = await open({ process });
    const { id } = await ledger.begin({ subject: wholeFiles(files) });
    const there = { store, scope };
    const own = openLedger({
      place: { open: async () => there, look: async () => there },
      actor: "bob",
    });
    // On a machine that cannot be asked.
    expect(await own.list()).toMatchObject([{ state: "running" }]);
    await expect(own.resume(id)).rejects.toMatchObject({ code: "REVIEW_RUNNING" });
    await own.interrupt(id);
    expect(await own.resume(id)).toMatchObject({ review: { state: "running" } });
    // By the same process again, nothing changes.
    expect(await own.resume(id)).toMatchObject({ review: { state: "running" } });
  });

  it("A-02 counts the uses of each reviewer, once per review", async () => {
    const { ledger } = await open();
    expect(await ledger.uses()).toEqual(new Map());
    const asked = ["fd-one", "fd-two"];
    await hold(ledger, { subject: wholeFiles(files), said: [race], asked });
    await hold(ledger, { subject: wholeFiles(files), said: [race] });
    const uses = await ledger.uses();
    expect([...uses].map(([name, { uses: count }]) => [name, count])).toEqual([
      ["fd-one", 2],
      ["fd-two", 1],
    ]);
    expect(Date.parse(uses.get("fd-one")!.lastUsedAt)).toBeGreaterThan(0);
  });

  it("V-04 a change beside thousands of known findings is taken in at once", async () => {
    const { ledger, seen } = await open();
    const lines = Array.from({ length: 20_000 }, (_, at) => `step${at}();`);
    const said = Array.from({ length: 1000 }, (_, at) => ({
      ...{ title: `Step ${at * 20} fails`, path: "src/a.js", line: at * 20 + 1, rule: `r${at}` },
    }));
    await hold(ledger, { subject: wholeFiles({ "src/a.js": lines.join("\n") }), said });
    const hunk = { oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, section: "" };
    const after = lines.with(1, "go();").join("\n");
    const change: SubjectFile = {
      ...{ path: "src/a.js", status: "modified", after },
      hunks: [{ ...hunk, lines: ["-step1();", "+go();"] }],
    };
    const subject = { ...wholeFiles({}, "working tree"), files: [change] };
    const before = { ...seen };
    const { fixed } = await hold(ledger, { subject, said: [], asked: ["fd-one"] });
    // Each known finding is read once or twice, and none is asked for by itself.
    expect(seen.statements - before.statements).toBeLessThan(40);
    expect(seen.rows - before.rows).toBeLessThan(3 * 1000);
    // None of the other lines was looked at.
    expect(fixed).toEqual([]);
  });

  it("V-04 two thousand findings are taken in, and known again", async () => {
    const { ledger, seen } = await open();
    const text = Array.from({ length: 2000 }, (_, at) => `const value${at} = compute(${at});`).join(
      "\n",
    );
    const said = Array.from({ length: 2000 }, (_, at) => ({
      title: `Value ${at} is never checked`,
      rule: `rule-${at % 7}`,
      path: "big.js",
      line: at + 1,
    }));
    const subject = wholeFiles({ "big.js": text });
    await hold(ledger, { subject, said });
    const before = { ...seen };
    const again = await hold(ledger, { subject, said });
    expect(seen.statements - before.statements).toBeLessThan(40);
    expect(seen.rows - before.rows).toBeLessThan(3 * 2000 + 10);
    expect(new Set(again.states.values())).toEqual(new Set(["persisting"]));
    expect(again.fixed).toEqual([]);
  });
});
