import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { openReviewing } from "../../../src/compose-review.ts";
import { openHeadgate } from "../../../src/index.ts";
import type { ShadowSample } from "../../../src/review/index.ts";
import type { Override, RoutingView } from "../../../src/routing/index.ts";
import { Analyser } from "../../../src/structure/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { changed, code, looks, type Place, report, says, scriptedPlace } from "./scripted.ts";

const opened = async (place: Place, routing: Partial<RoutingView> = {}) => {
  const { environment, cwd } = place;
  const headgate = await openHeadgate({ repo: cwd, environment });
  const analyser = new Analyser();
  onTestFinished(async () => {
    await headgate.close();
    await analyser.close();
  });
  const samples: ShadowSample[] = [];
  const { repository, config, ledger } = headgate;
  const review = openReviewing({
    ...{ repository, config, environment, cwd, clock: systemClock, ledger },
    analyser: async () => analyser,
    profile: async () => ({ domains: [] }),
    routing: async () => ({ overrides: [], canaries: [], precision: [], ...routing }),
    onShadow: async (sample) => void samples.push(sample),
  });
  const watch = () => ({ signal: new AbortController().signal });
  const events = async (kind: string) =>
    (await headgate.events.page({ last: 100, kind })).events.map(({ data }) => data);
  return { review, samples, ledger: await ledger(), watch, events };
};

const override = (reviewer: string, more: Partial<Override>): Override => ({
  ...{ reviewer, action: "exclude", reason: "as a test says" },
  ...{ created: "2026-01-01T00:00:00Z", createdBy: "alice" },
  ...more,
});

const grave = {
  title: "Removal follows a link out of the folder",
  severity: "P1",
  place: "src/store.js:3",
};
const slight = { title: "A word is spelled wrong", severity: "P3", place: "src/store.js:1" };
const elsewhere = { title: "Generated file is unreadable", severity: "P2", place: "gen/out.js:1" };

describe("a whole review with routing", () => {
  it("V-01 V-03 floors and scopes hide and tell it, and silence about a hidden path fixes nothing", async () => {
    const place = await scriptedPlace([
      says("safety", report("safety", [grave, slight, elsewhere])),
      looks({ "Removal follows": "confirmed" }),
    ]);
    place.edit("gen/out.js", "export const generated = 1;\n");
    const request = { reviewers: ["safety"] };
    const before = await opened(place);
    const first = await before.review.run(request, before.watch());
    expect(first?.synthesis.counts.clusters).toBe(3);
    const { review, watch, ledger } = await opened(place, {
      overrides: [
        override("safety", { action: "floor", floor: "P2" }),
        override("safety", { action: "scope", except: ["gen/**"] }),
      ],
    });
    const second = await review.run(request, watch());
    expect(second?.findings.map(({ title }) => title)).toEqual([grave.title]);
    expect(second?.notes).toContain("1 finding of safety below its floor P2 hidden");
    expect(second?.notes).toContain(
      "1 finding of safety in paths that routing takes from it hidden",
    );
    const asked = place.asked().filter(({ lastUserText }) => lastUserText.includes("Answer as"));
    expect(asked[0]?.lastUserText).toContain("gen/out.js");
    expect(asked.at(-1)?.lastUserText).not.toContain("gen/out.js");
    const states = Object.fromEntries(
      (await ledger.findings({ limit: 10 })).map(({ title, state }) => [title, state]),
    );
    expect(states[elsewhere.title]).toBe("new");
    expect(states[grave.title]).toBe("persisting");
  });

  it("V-03 an excluded reviewer in shadow is asked, told to nobody but the canary, and keeps out of the verdict", async () => {
    const place = await scriptedPlace([
      says("safety", report("safety", [grave])),
      says("correctness", report("correctness", [])),
      looks({ "Removal follows": "confirmed" }),
    ]);
    const { review, watch, samples, ledger } = await opened(place, {
      overrides: [override("safety", {})],
      canaries: [
        {
          ...{ reviewer: "safety", state: "MONITORING", shadows: 0, losses: 0, needed: 30 },
          shadowProbability: 1,
        },
      ],
    });
    const outcome = await review.run({ slots: 1 }, watch());
    expect(outcome?.synthesis).toMatchObject({ verdict: "go", go: true });
    expect(outcome?.findings).toEqual([]);
    expect(place.names()).toEqual(["correctness", "look", "safety"]);
    expect(samples).toMatchObject([{ reviewer: "safety", probability: 1, losses: 1, open: 0 }]);
    const kept = await ledger.show(outcome?.id ?? "");
    expect(kept.reviewers.find(({ reviewer }) => reviewer === "safety")).toMatchObject({
      shadow: true,
      findings: 1,
    });
    expect(kept.reviewers.find(({ reviewer }) => reviewer === "second look")).toMatchObject({
      problem: "0 confirmed, 0 refuted, 0 unsure",
    });
    expect(kept.costUsd).toBeCloseTo(outcome?.totals.costUsd ?? 0, 5);
  });

  it("V-03 R-11 a shadow and a second look that time out are no looks: nothing is counted, and both are named", async () => {
    const late = { delayMs: 600_000, text: "late" };
    const place = await scriptedPlace([
      says("safety", late),
      says("correctness", report("correctness", [grave])),
      { when: "# Is this really so?", withoutTools: true, steps: [late] },
    ]);
    const { review, watch, samples, events } = await opened(place, {
      overrides: [override("safety", {})],
      canaries: [
        {
          ...{ reviewer: "safety", state: "MONITORING", shadows: 0, losses: 0, needed: 30 },
          shadowProbability: 1,
        },
      ],
    });
    const outcome = await review.run({ slots: 1, timeoutMs: 2000 }, watch());
    expect(samples).toEqual([]);
    expect(outcome?.synthesis.verdict).toBe("needs-changes");
    expect(outcome?.notes).toContain("1 second look not judged: timeout: did not finish in 2 s");
    expect(await events("judgement.missed")).toEqual([
      { what: "second look", where: "src/store.js:3", why: "timeout: did not finish in 2 s" },
      { what: "shadow", where: "safety", why: "error: did not finish in 2 s" },
    ]);
  });

  it("R-11 the canary of a floor or a scope sees what they hide: asked about everything, shown nothing of it, counted", async () => {
    const graveThere = { ...elsewhere, severity: "P1" };
    const place = await scriptedPlace([
      says("safety", report("safety", [grave, graveThere])),
      says("correctness", report("correctness", [])),
      looks({ "Removal follows": "confirmed", "Generated file": "confirmed" }),
    ]);
    place.edit("gen/out.js", "export const generated = 1;\n");
    const watched = (shadowProbability: number) => ({
      ...{ reviewer: "safety", state: "MONITORING", shadows: 6, losses: 0, needed: 12 },
      shadowProbability,
    });
    const reviewed = async (rule: Partial<Override>, probability: number, path?: string) => {
      const { review, watch, samples } = await opened(place, {
        overrides: [override("safety", rule)],
        canaries: [watched(probability) as never],
      });
      const target = path === undefined ? {} : { target: path };
      const outcome = await review.run({ slots: 2, ...target }, watch());
      const text = place
        .asked()
        .findLast(({ lastUserText }) => lastUserText.includes("Answer as safety,"))?.lastUserText;
      return { outcome, samples, text, titles: outcome?.findings.map(({ title }) => title) };
    };
    const scope = { action: "scope", except: ["gen/**"] } as const;
    const drawn = await reviewed(scope, 1);
    expect(drawn.text).toContain("gen/out.js");
    expect(drawn.titles).toEqual([grave.title]);
    expect(drawn.samples).toMatchObject([{ reviewer: "safety", probability: 1, losses: 1 }]);
    expect(drawn.outcome?.notes.join("\n")).toContain(
      "safety: not in gen/** by override: as a test says, canary 6/18",
    );
    // Not drawn: it is kept away, so its silence is no look.
    const kept = await reviewed(scope, 0);
    expect(kept.text).not.toContain("gen/out.js");
    expect(kept.samples).toEqual([]);
    const floored = await reviewed({ action: "floor", floor: "P0" }, 0.5);
    expect(floored.titles).toEqual([]);
    expect(floored.samples).toMatchObject([{ reviewer: "safety", probability: 1, losses: 2 }]);
    // Only what it is kept away from has changed: it looks in shadow, and nothing is shown.
    const only = await reviewed(scope, 1, "gen/out.js");
    expect(only.titles).toEqual([]);
    expect(only.samples).toMatchObject([{ reviewer: "safety", losses: expect.any(Number) }]);
  });

  it("V-01 V-02 a second stage that nobody needs is not asked, told, and does not count", async () => {
    const everyone = ["safety", "correctness", "tests", "quality", "architecture", "performance"];
    const place = await scriptedPlace([
      ...everyone.map((name) => says(name, report(name, []))),
      looks({}),
    ]);
    const { review, watch } = await opened(place);
    const quiet = await review.run({ slots: 4 }, watch());
    const chosen = quiet?.triage.considered.flatMap(({ decision, reviewer, kind }) =>
      decision.state === "chosen" && kind !== "static" ? [{ reviewer, stage: decision.stage }] : [],
    );
    const second = chosen?.filter(({ stage }) => stage === 2).map(({ reviewer }) => reviewer) ?? [];
    expect(second.length).toBeGreaterThan(0);
    expect(place.names()).toHaveLength(4 - second.length);
    // The static rules answer, too.
    expect(quiet?.synthesis.quorum?.asked).toBe(4 - second.length + 1);
    expect(quiet?.notes).toContain(
      `not asked, as the first ones found nothing severe: ${second.toSorted().join(", ")}`,
    );
  });

  it("V-02 whoever failed is asked again after an interruption, and the first run's cost counts", async () => {
    const place = await scriptedPlace([
      says("safety", report("safety", [slight])),
      says("tests", { status: 500, times: 4, text: report("tests", []) }),
      says("quality", { untilFile: "GATE", text: report("quality", []) }),
    ]);
    const { review, ledger, watch } = await opened(place);
    const stop = new AbortController();
    const outcome = await review.run(
      { reviewers: ["safety", "tests", "quality"], budgetUsd: 1 },
      {
        signal: stop.signal,
        onProgress: ({ reviewer, state }) => {
          if (reviewer === "tests" && state === "failed") stop.abort();
        },
      },
    );
    expect(outcome).toMatchObject({ isInterrupted: true });
    const kept = await ledger.show(outcome?.id ?? "");
    expect(kept.state).toBe("interrupted");
    expect(kept.reviewers.map(({ reviewer, state }) => [reviewer, state])).toContainEqual([
      "tests",
      "failed",
    ]);
    writeFileSync(join(place.folder, "GATE"), "");
    const resumed = await review.resume(kept.id, {}, watch());
    expect(resumed.synthesis.quorum).toEqual({ asked: 3, usable: 3, needed: 2 });
    expect(place.names().filter((name) => name === "safety")).toHaveLength(1);
    expect(resumed.totals.costUsd).toBeGreaterThan(outcome?.totals.costUsd ?? 1);
    // As triage ranks them, whoever answers first.
    expect(resumed.reports.map(({ reviewer }) => reviewer)).toEqual(["safety", "tests", "quality"]);
  });

  it("V-02 a program as the runner, and an answer on standard output", async () => {
    const place = await scriptedPlace([says("nobody", "ok")], {
      runners: {
        script: {
          kind: "exec",
          argv: [
            process.execPath,
            "-e",
            `let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
              const marker = text.trim().split("\\n").at(-1).replace("COUNT", "1");
              process.stdout.write(["### Findings Index", '- P2 | t-1 | "src/store.js:2" | Nothing tests it | 0.9', "Verdict: safe", "", marker].join("\\n"));
            });`,
          ],
        },
      },
    });
    const { review, watch } = await opened(place);
    const outcome = await review.run({ reviewers: ["tests"], runner: "script" }, watch());
    expect(outcome?.reports).toMatchObject([{ reviewer: "tests", state: "strict" }]);
    expect(outcome?.findings).toMatchObject([{ title: "Nothing tests it", line: 2 }]);
  });

  it("V-05 commits since that change a cited line are noticed when the next review begins", async () => {
    const place = await scriptedPlace([
      says("safety", report("safety", [{ ...grave, severity: "P2" }])),
      says("tests", report("tests", [])),
    ]);
    const { review, watch, ledger } = await opened(place);
    await review.run({ reviewers: ["safety"] }, watch());
    git(place.cwd, "commit", "-q", "-a", "-m", "as reviewed");
    place.edit("src/store.js", changed.replace("remove(name)", "removeInside(root, name)"));
    git(place.cwd, "commit", "-q", "-a", "-m", "fix");
    place.edit("src/other.js", code);
    const next = await review.run({ reviewers: ["tests"] }, watch());
    expect(next?.notes).toContain("1 earlier finding addressed by commits since the last review");
    const [finding] = await ledger.findings({ limit: 1 });
    expect(finding?.addressedBy).toBe(git(place.cwd, "rev-parse", "HEAD").trim());
  });
});
