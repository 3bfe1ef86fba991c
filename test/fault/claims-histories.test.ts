import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { findProblems, randomNumbers } from "../helpers/claims-history.ts";
import type { Call, ClaimsOperation, Outcome } from "../helpers/claims-model.ts";
import { describeWith } from "../helpers/not-run.ts";
import { countRounds } from "../helpers/rounds.ts";
import { testSeed } from "../helpers/seed.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  ClaimsWorker,
  clockOffsetMs,
  type WorkPlace,
  workPlace,
} from "../helpers/run-claims-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const processes = 8;
/** The shortest that may be asked for, so that many of them end by themselves. */
const ttlsMs = [1000, 1300, 2000];

/** A process that makes random calls, and what happened to it. */
interface Client {
  readonly actor: string;
  readonly worker: ClaimsWorker;
  readonly file: string;
  /** Resolves with what went wrong in it. */
  readonly done: Promise<string | undefined>;
  diedAt?: number;
  goneAt?: number;
}

const startClient = async (
  place: WorkPlace,
  options: { actor: string; folder: string; seed: number; others: readonly string[] },
): Promise<Client> => {
  const { actor, folder, seed, others } = options;
  const worker = await ClaimsWorker.start(place, actor);
  const file = join(folder, actor);
  const done = worker
    .ask({ do: "history", seed, file, ttlsMs, others })
    .then(() => undefined, String);
  return { actor, worker, file, done };
};

/** Everything a client noted down; the last call may be without an answer. */
const readClient = (client: Client, graceMs: number): ClaimsOperation[] => {
  // A line that was cut off was never finished: then its call was not made, or its answer not seen.
  const text = existsSync(client.file) ? readFileSync(client.file, "utf8") : "";
  const lines = text.split("\n").slice(0, -1);
  const operations: ClaimsOperation[] = [];
  let open: { readonly call: Call; readonly from: number } | undefined;
  for (const line of lines) {
    const note = JSON.parse(line) as
      | { readonly call: Call; readonly from: number }
      | { readonly outcome: Outcome | "nothing" | "unknown"; readonly to: number };
    if ("call" in note) {
      open = note;
      continue;
    }
    const { outcome, to } = note;
    if (outcome === "unknown") {
      operations.push({ client: client.actor, ...open!, outcome: undefined, to: Infinity });
    } else if (outcome !== "nothing") {
      operations.push({ client: client.actor, ...open!, outcome, to });
    }
    open = undefined;
  }
  // The call of a process that lives is not over yet.
  if (open !== undefined && client.goneAt !== undefined) {
    const to = client.goneAt + graceMs;
    operations.push({ client: client.actor, ...open, outcome: undefined, to });
  }
  return operations;
};

describeWith({ platforms: ["linux", "darwin"] }, "histories of real processes", () => {
  describe.each(backends)("on $name", ({ name, place: newPlace }) => {
    it(
      "G1 G2 G3 G4 G5 eight processes, stopped and killed at random, are linearizable",
      { timeout: 30 * 60_000 },
      async () => {
        const wanted = countRounds(`processes stopped or killed on ${name}`, 200);
        const place = await newPlace();
        const { store, scope } = await openScope(place);
        const at = workPlace(place);
        const folder = temporaryFolder();
        const seed = testSeed;
        const random = randomNumbers(seed);
        const clients: Client[] = [];
        const running: Client[] = [];
        const slots = Array.from({ length: processes }, (_, slot) => slot);
        const start = async (slot: number, life: number): Promise<Client> => {
          const actor = `p${slot}.${life}`;
          const names = slots.map((other) => running[other]?.actor ?? `p${other}.0`);
          const others = names.filter((_, other) => other !== slot);
          const options = { actor, folder, seed: seed + slot + 100 * life, others };
          const client = await startClient(at, options);
          clients.push(client);
          return client;
        };
        onTestFinished(async () => {
          await Promise.all(clients.map(({ worker }) => worker.end()));
        });
        running.push(...(await Promise.all(slots.map((slot) => start(slot, 0)))));
        const stats = { kills: 0, stops: 0 };
        const pause = (ms: number) => systemClock.sleep(ms);
        // A server may still carry out what a killed process sent, once it gets its turn.
        const graceMs = name === "PostgreSQL" ? 11_000 : 0;
        const readAll = () => clients.flatMap((client) => readClient(client, graceMs));
        for (let life = 1; life <= wanted || !isVaried(readAll(), stats); life += 1) {
          await pause(50 + random() * 200);
          const slot = Math.floor(random() * processes);
          const client = running[slot]!;
          if (random() < 0.7) {
            stats.stops += 1;
            client.worker.stop();
            // Often past the end of everything it holds.
            void pause(random() < 0.5 ? random() * 300 : 1000 + random() * 1500).then(() =>
              client.worker.resume(),
            );
          } else {
            stats.kills += 1;
            client.diedAt = systemClock.monoMs();
            await client.worker.end();
            client.goneAt = systemClock.monoMs();
            running[slot] = await start(slot, life);
          }
        }
        for (const { worker } of running) worker.resume();
        for (const { worker } of running) worker.process.process.stdin!.write("stop\n");
        const failures = await Promise.all(clients.map(({ done }) => done));
        expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
        const history = readAll();
        const died = new Map(clients.map(({ actor, diedAt }) => [actor, diedAt]));
        const slackMs = 3 + Math.abs(clockOffsetMs() - at.offsetMs);
        const problems = findProblems(history, {
          slackMs,
          diedAt: (actor) => died.get(actor.split(".").slice(0, 2).join(".")),
        });
        if (problems.length > 0) {
          const kept = join(mkdtempSync(join(tmpdir(), "headgate-history-")), "history.json");
          writeFileSync(kept, JSON.stringify({ seed, slackMs, history, died: [...died] }));
          problems.push(`the history is in ${kept}; HEADGATE_SEED=${seed}`);
        }
        expect(problems).toEqual([]);
        expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
      },
    );
  });
});

/** A quiet history would be linearizable as well: until everything has happened, it goes on. */
const isVaried = (
  history: readonly ClaimsOperation[],
  { kills, stops }: { readonly kills: number; readonly stops: number },
): boolean => {
  const count = (isWanted: (operation: ClaimsOperation) => boolean): number =>
    history.filter(isWanted).length;
  const counts = {
    kills,
    stops,
    unanswered: count(({ outcome }) => outcome === undefined),
    granted: count(({ call, outcome }) => call.kind === "claim" && outcome?.kind === "claims"),
    blocked: count(({ call, outcome }) => call.kind === "claim" && outcome?.kind === "blocked"),
    written: count(({ call, outcome }) => call.kind === "write" && isVerified(outcome, true)),
    stale: count(({ call, outcome }) => call.kind === "write" && isVerified(outcome, false)),
    lost: count(({ outcome }) => outcome?.kind === "refused"),
    moved: count(({ call, outcome }) => call.kind === "transfer" && outcome?.kind === "claims"),
  };
  return Object.values(counts).every((number) => number > 3);
};

const isVerified = (outcome: Outcome | undefined, ok: boolean): boolean =>
  outcome?.kind === "verified" && outcome.ok === ok;
