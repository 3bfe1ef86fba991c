import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { dispatch, type JobProgress, type ReviewJob } from "../../../src/review/index.ts";
import { openRunner, type RunAnswer, type Runner } from "../../../src/runners/index.ts";
import { startMockLlm, type Step } from "../../../src/surfaces/mock-llm/index.ts";
import { type RunnerPlace, runnerPlace, unaborted } from "../../helpers/runner-place.ts";

const jobsFor = (place: RunnerPlace, count: number, more: Partial<ReviewJob> = {}): ReviewJob[] =>
  Array.from({ length: count }, (_, index) => ({
    reviewer: `reviewer-${index + 1}`,
    slice: 1,
    stage: 1,
    shadow: false,
    request: place.request({ label: `reviewer-${index + 1}`, prompt: `job ${index + 1}` }),
    ...more,
  }));

/** Says how many of its kind are at work, itself included. */
const counting = (folder: string): string => `
import { appendFileSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
const own = ${JSON.stringify(folder)} + "/" + process.pid;
const begun = ${JSON.stringify(folder)} + "-begun";
writeFileSync(own, "");
appendFileSync(begun, "x");
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const count = () => readdirSync(${JSON.stringify(folder)}).length;
let most = 0;
// Until three are there, or nobody else will come; then a little longer, for a fourth.
for (let tick = 0; tick < 10; tick += most >= 3 || readFileSync(begun).length === 8 ? 1 : 0) {
  most = Math.max(most, count());
  await wait(20);
}
unlinkSync(own);
console.log(most + " " + readFileSync(0, "utf8"));
`;

const scripted = async (place: RunnerPlace, steps: readonly Step[], spec: object = {}) => {
  let asked = 0;
  const server = await startMockLlm(
    { conversations: [{ withoutTools: true, steps: steps.map((step) => [step]) }] },
    { onRequest: () => (asked += 1) },
  );
  onTestFinished(() => server.close());
  const runner = await openRunner(
    {
      kind: "http",
      protocol: "anthropic",
      url: `${server.address}/v1/messages`,
      model: "claude-x",
      ...spec,
    },
    place.ports,
  );
  return { runner, asked: () => asked };
};

describe("V-02 dispatch", () => {
  it("8 jobs with a cap of 3 are never more than 3 at once; results are in the jobs' order", async () => {
    const place = runnerPlace();
    const folder = join(place.folder, "at-work");
    mkdirSync(folder);
    const runner = await openRunner(
      { kind: "exec", argv: place.script(counting(folder)) },
      place.ports,
    );
    const progress: JobProgress[] = [];
    const jobs = jobsFor(place, 8);
    const { results, totals } = await dispatch(jobs, {
      runner,
      concurrency: 3,
      ...unaborted(),
      onProgress: (one) => progress.push(one),
    });
    expect(results.map(({ job }) => job)).toEqual(jobs);
    const most = results.map(({ answer }) => Number(answer!.text.split(" ")[0]));
    expect(Math.max(...most)).toBe(3);
    expect(results.map(({ answer }) => answer!.text.replace(/^\d+ /, ""))).toEqual(
      jobs.map(({ request }) => request.prompt),
    );
    expect(totals).toMatchObject({ asked: 8, answered: 8, notAsked: 0, costUnknown: 8 });
    for (const index of jobs.keys()) {
      const states = progress.filter((one) => one.index === index).map(({ state }) => state);
      expect(states[0]).toBe("running");
      expect(states.at(-1)).toBe("answered");
    }
    expect(progress.at(-1)!.elapsedMs).toBeGreaterThan(100);
  });

  it("stage 2 begins when all of stage 1 is over, and only if it is wanted", async () => {
    const place = runnerPlace();
    const { runner, asked } = await scripted(place, [{ text: "fine", delayMs: 50 }]);
    const jobs = [...jobsFor(place, 1, { stage: 2, reviewer: "late" }), ...jobsFor(place, 3)];
    const seen: number[] = [];
    const refused = await dispatch(jobs, {
      runner,
      concurrency: 4,
      ...unaborted(),
      wantsMore: (results) => {
        seen.push(results.length, asked());
        return false;
      },
    });
    expect(seen).toEqual([3, 3]);
    expect(refused.results.map(({ state }) => state)).toEqual([
      "not-asked",
      ...Array(3).fill("answered"),
    ]);
    expect(refused.results[0]!.why).toBe("stage 2 was not wanted after stage 1");
    const order: string[] = [];
    const all = await dispatch(jobs, {
      runner,
      concurrency: 4,
      ...unaborted(),
      wantsMore: () => true,
      onProgress: ({ reviewer, state }) => state === "running" && order.push(reviewer),
    });
    expect(all.totals.answered).toBe(4);
    expect(order.indexOf("late")).toBeGreaterThanOrEqual(3);
  });

  it("each has its own end: a refusal, a cut answer, a slow one and a broken runner lose nobody else's", async () => {
    const place = runnerPlace();
    const good = (await scripted(place, [{ text: "good" }])).runner;
    const refusing = (await scripted(place, [{ status: 401 }])).runner;
    const late = (await scripted(place, [{ text: "x", delayMs: 600_000 }])).runner;
    const slow: Runner = {
      ...late,
      run: (request, options) => late.run({ ...request, timeoutMs: 500 }, options),
    };
    const broken: Runner = {
      name: "broken",
      family: "x",
      run: () => Promise.reject(new Error("a defect")),
    };
    const byJob = [good, refusing, slow, broken, good];
    const jobs = jobsFor(place, 5);
    const { results, totals } = await dispatch(jobs, {
      runner: (job) => byJob[jobs.indexOf(job)]!,
      concurrency: 5,
      timeoutMs: 300_000,
      ...unaborted(),
    });
    expect(results.map(({ state }) => state)).toEqual([
      ...["answered", "failed", "timeout", "failed", "answered"],
    ]);
    expect(results[3]!.why).toBe("the runner broke: a defect");
    expect(totals).toMatchObject({ asked: 5, answered: 2 });
  });

  it("cancelled: what runs is ended with all it started, what is done is kept, the rest is not asked", async () => {
    const place = runnerPlace();
    const pids = join(place.folder, "pids");
    mkdirSync(pids);
    const argv = place.script(`
      import { readFileSync, writeFileSync } from "node:fs";
      const prompt = readFileSync(0, "utf8");
      if (prompt === "job 1") console.log("done");
      else {
        process.on("SIGTERM", () => {});
        writeFileSync(${JSON.stringify(pids)} + "/" + process.pid, "");
        setInterval(() => {}, 1000);
      }`);
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    const controller = new AbortController();
    const done = dispatch(jobsFor(place, 6), { runner, concurrency: 3, signal: controller.signal });
    while (readdirSync(pids).length < 3) await new Promise((next) => setTimeout(next, 20));
    controller.abort();
    const { results } = await done;
    expect(results.map(({ state }) => state)).toEqual([
      ...["answered", "cancelled", "cancelled", "cancelled", "not-asked", "not-asked"],
    ]);
    expect(results[0]!.answer!.text).toBe("done");
    for (const pid of readdirSync(pids)) {
      const stat = `/proc/${pid}/stat`;
      const isAlive = existsSync(stat) && !/\) Z/.test(readFileSync(stat, "latin1"));
      expect(isAlive).toBe(false);
    }
    expect(place.leftOvers()).toEqual([]);
  });
});

describe("V-02 the budget", () => {
  const prices = { input: 1000, output: 1000 };

  it("is held before each question: what could go over is not asked, and says so", async () => {
    const place = runnerPlace();
    // A question costs at most 7 × $0.001 + 100 × $0.001 and in truth about a third of it.
    const { runner, asked } = await scripted(place, [{ text: "fine" }], {
      prices,
      outputTokensMax: 100,
    });
    const budgetUsd = 0.35;
    const { results, totals } = await dispatch(jobsFor(place, 12), {
      runner,
      concurrency: 8,
      budgetUsd,
      ...unaborted(),
    });
    expect(totals.costUsd).toBeGreaterThan(0.1);
    expect(totals.costUsd).toBeLessThanOrEqual(budgetUsd);
    expect(totals.notAsked).toBeGreaterThan(0);
    expect(asked()).toBe(totals.asked);
    // What finished cheaper than it could made room for more.
    expect(totals.asked).toBeGreaterThan(Math.floor(budgetUsd / 0.107));
    const out = results.find(({ state }) => state === "not-asked")!;
    expect(out.why).toMatch(/^budget: it could cost \$0\.\d+, and \$0\.\d+ of \$0\.3500 are left$/);
  });

  it("a runner whose cost nobody knows is not asked under a budget, and all are without one", async () => {
    const place = runnerPlace();
    const { runner, asked } = await scripted(place, [{ text: "fine" }]);
    const jobs = jobsFor(place, 2);
    const { results } = await dispatch(jobs, {
      runner,
      concurrency: 2,
      budgetUsd: 5,
      ...unaborted(),
    });
    expect(results.map(({ state }) => state)).toEqual(["not-asked", "not-asked"]);
    expect(results[0]!.why).toMatch(/^budget: what http costs is not known; give it "prices"/);
    expect(asked()).toBe(0);
    const free = await dispatch(jobs, { runner, concurrency: 2, budgetUsd: null, ...unaborted() });
    expect(free.totals).toMatchObject({ answered: 2, costUnknown: 2 });
  });

  it("recordings cost nothing and are played under a budget of nothing", async () => {
    const place = runnerPlace();
    const runner = await openRunner(`fixture:${place.folder}`, place.ports);
    const { results } = await dispatch(jobsFor(place, 1), {
      runner,
      concurrency: 1,
      budgetUsd: 0,
      ...unaborted(),
    });
    expect(results[0]).toMatchObject({ state: "failed" });
    expect(results[0]!.why).toContain("nothing is recorded");
  });

  it("is never exceeded, whatever bounded questions cost, in whatever order they end", async () => {
    const place = runnerPlace();
    const answered = (costUsd: number): RunAnswer => ({
      ...{ ended: "answer", text: "x", truncated: false, tries: 1, costUsd },
      usage: { inputTokens: 1, outputTokens: 1 },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), ticks: fc.nat(5) }),
          {
            minLength: 5,
            maxLength: 20,
          },
        ),
        fc.integer({ min: 0, max: 200 }).map((cents) => cents / 100),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        async (asks, budgetUsd, concurrency, keepsBudget) => {
          let [running, most, spent] = [0, 0, 0];
          const runner: Runner = {
            name: "drawn",
            family: "x",
            cost: keepsBudget
              ? { keepsBudget }
              : { prices: { input: 0, output: 1e6 }, outputTokensMax: 0.1 },
            run: async ({ label, budgetUsd: told = 0 }) => {
              const { share, ticks } = asks[Number(label)]!;
              running += 1;
              most = Math.max(most, running);
              for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
              running -= 1;
              const cost = share * (keepsBudget ? told : 0.1);
              spent += cost;
              return answered(cost);
            },
          };
          const jobs = asks.map((_, index) => ({
            ...jobsFor(place, 1)[0]!,
            request: place.request({ label: String(index), prompt: "" }),
          }));
          const { results } = await dispatch(jobs, {
            runner,
            concurrency,
            budgetUsd,
            ...unaborted(),
          });
          expect(results).toHaveLength(asks.length);
          expect(spent).toBeLessThanOrEqual(budgetUsd + 1e-9);
          expect(most).toBeLessThanOrEqual(concurrency);
        },
      ),
    );
  });

  it("a cut answer that was paid for is not asked again beyond what was set aside", async () => {
    const place = runnerPlace();
    const text = "words ".repeat(200);
    const { runner, asked } = await scripted(place, [{ text, cut: true }], {
      prices,
      outputTokensMax: 400,
    });
    const { results, totals } = await dispatch(jobsFor(place, 1), {
      runner,
      concurrency: 1,
      budgetUsd: 0.5,
      ...unaborted(),
    });
    expect(asked()).toBe(1);
    expect(results[0]!.why).toMatch(/another try could cost too much$/);
    expect(totals.costUsd).toBeLessThanOrEqual(0.5);
  });
});
