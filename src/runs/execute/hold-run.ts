/** Whoever changes a run holds `name:run/<id>` (S-08), and the store refuses what comes under an older claim. */
import { join } from "node:path";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { showText } from "../../base/text.ts";
import { type Actor, type Blocker, parseActor, recordLauncher } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import { openRunFiles, type RunFiles } from "../state/run-files.ts";
import { openRunStore, type RunStore } from "../store/run-store.ts";
import type { RunPorts } from "./ports.ts";

/** What one holder of a run may do with it. */
export interface HeldRun {
  readonly store: RunStore;
  readonly runFiles: RunFiles;
  readonly actor: string;
  /** Aborted when the claim on the run is lost. */
  readonly lost: AbortSignal;
  /** These claims are renewed, too, by whoever holds them. */
  keep(as: Renewer, claims: readonly string[]): void;
}

interface Renewer {
  renew(claims: readonly string[]): Promise<void>;
}

export const holderOf = (run: string): Actor => ({
  ...parseActor(`run:${run}/${newId("operation")}`),
  process: ownIdentity(),
});

export const claimTtlMs = (ports: RunPorts): number => ports.claimTtlMs ?? limits.runClaimTtlMs;

/** Throws RUN_UNKNOWN, and RUN_BUSY with what is known about the other holder. */
export const holdRun = async <T>(
  ports: RunPorts,
  run: string,
  work: (held: HeldRun) => Promise<T>,
  by: Actor = holderOf(run),
): Promise<T> => {
  await openRunStore(ports.place, run).load();
  const { claims } = ports.as(by);
  const ttlMs = claimTtlMs(ports);
  const result = await claims.claim({
    targets: [`name:run/${run}`],
    ttlMs,
    reason: "carries the run out",
  });
  if (!result.ok) throw busy(run, result.blockers);
  const own = result.claims.map(({ id }) => id);
  const fence = Math.max(...result.claims.map((claim) => claim.fence));
  const store = openRunStore(ports.place, run, fence);
  const lost = new AbortController();
  const over = new AbortController();
  const kept = new Map<Renewer, Set<string>>();
  const { files, clock, repository } = ports;
  let renewedAtMonoMs = clock.monoMs();
  const renew = async (): Promise<void> => {
    // A plan that lost a claim is stopped by the fence at its next commit.
    for (const [holder, ids] of kept) await holder.renew([...ids]).catch(() => {});
    const began = clock.monoMs();
    try {
      await claims.renew({ claims: own }, { ttlMs });
      renewedAtMonoMs = began;
    } catch (error) {
      const isOver = HeadgateError.isInstance(error) && error.code === "CLAIM_UNKNOWN";
      // A store that does not answer once is asked again while the claim lives.
      if (isOver || began - renewedAtMonoMs > ttlMs / 2) lost.abort(error);
    }
  };
  const keeping = (async () => {
    while (!lost.signal.aborted) {
      await clock.sleep(ttlMs / 4, over.signal);
      if (over.signal.aborted) return;
      await renew();
    }
  })();
  const runFiles = openRunFiles(store, {
    dir: join(repository.localDir, "runs", run),
    files,
    clock,
  });
  const keep: HeldRun["keep"] = (holder, ids) => {
    const known = kept.get(holder) ?? new Set<string>();
    kept.set(holder, known);
    for (const id of ids) known.add(id);
  };
  const end = recordLauncher(repository.localDir, `run:${run}`);
  try {
    await store.take(by.id);
    return await work({ store, runFiles, actor: by.id, lost: lost.signal, keep });
  } finally {
    end();
    over.abort();
    await keeping;
    if (!lost.signal.aborted) await claims.release({ claims: own });
  }
};

const busy = (run: string, blockers: readonly Blocker[]): HeadgateError => {
  const evidence = blockers.flatMap(({ liveness }) => liveness.evidence).join(", ");
  const who = blockers.map(({ actor }) => showText(actor)).join(", ");
  return new HeadgateError("RUN_BUSY", `run ${run} is carried out by ${who} (${evidence})`, {
    data: { run, blockers: JSON.parse(JSON.stringify(blockers)) as never },
  });
};
