/** A log and a set of claims of any length, through the real store: for benchmarks and browser tests. */
import { openHeadgate } from "../src/compose.ts";
import { limits } from "../src/base/limits.ts";

export const addClaims = async (root: string, count: number): Promise<void> => {
  await using headgate = await openHeadgate({ repo: root, actor: "many" });
  for (let from = 0; from < count; from += 64) {
    const targets = Array.from({ length: Math.min(64, count - from) }, (_, index) => {
      const n = from + index;
      return `gen/d${n % 40}/e${n % 7}/file-${String(n).padStart(5, "0")}.ts`;
    });
    await headgate.as(`codex:${from % 12}`).claims.claim({ targets, ttlMs: 3_600_000 });
  }
};

/** Edits by agents, and one refusal among `perRefusal` of them. */
export const addEvents = async (root: string, count: number, perRefusal = 5000): Promise<void> => {
  await using headgate = await openHeadgate({ repo: root, actor: "many" });
  const [store, scope] = [await headgate.store(), await headgate.scope()];
  for (let from = 0; from < count; from += limits.eventsPerTransactionMax) {
    await store.write({ scope }, async (tx) => {
      const until = Math.min(count, from + limits.eventsPerTransactionMax);
      for (let n = from; n < until; n += 1) tx.emit(eventOf(n, n % perRefusal === 0));
      return null;
    });
  }
};

const eventOf = (n: number, isRefusal: boolean) => {
  const path = `gen/d${n % 40}/file-${n % 1000}.ts`;
  const actor = `codex:${n % 12}`;
  if (!isRefusal) return { kind: "edit.applied", actor, subject: `ed_${n}`, data: { path } };
  const words = { message: `refusal ${n}`, remedy: "Try something else." };
  return {
    kind: "gate.refused",
    actor,
    data: { code: "SYNTAX_ERROR", path, tool: "Edit", ...words },
  };
};
