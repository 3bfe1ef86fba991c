/** The refusals from the newest on: the stream adds at the front, asking for older ones at the end. */
import { useEffect, useState } from "preact/hooks";
import type { RefusalsAnswer, RefusalView } from "../http/api/shapes.ts";
import { get, query } from "./call.ts";
import type { LiveEvent } from "./live.ts";
import { useConnection, useLive } from "./use-answer.ts";

export interface Refusals {
  readonly refusals: readonly RefusalView[];
  readonly isReady: boolean;
  /** Older ones exist, or may. */
  readonly hasMore: boolean;
  readonly error: Error | undefined;
  more(): void;
}

export const useRefusals = (limit: number): Refusals => {
  const live = useLive();
  const connection = useConnection();
  const [refusals, setRefusals] = useState<readonly RefusalView[]>([]);
  const [before, setBefore] = useState<number | null>(null);
  const [isReady, setReady] = useState(false);
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);

  const read = async (from: number | undefined): Promise<void> => {
    setBusy(true);
    try {
      let cursor = from;
      let found = 0;
      // The server looks through a long log for a moment only, then says where it stopped.
      do {
        const path = `/api/refusals?${query({ limit: limit - found, before: cursor })}`;
        const answer = await get<RefusalsAnswer>(path);
        found += answer.refusals.length;
        setRefusals((old) => merge(old, answer.refusals));
        setBefore(answer.before);
        cursor = answer.before ?? undefined;
      } while (cursor !== undefined && found < limit);
      setReady(true);
      setError(undefined);
    } catch (problem) {
      setError(problem as Error);
    } finally {
      setBusy(false);
    }
  };
  // Also after the connection was lost: what was missed is fetched.
  useEffect(() => {
    if (connection !== "offline") void read(undefined);
  }, [connection === "offline"]);
  useEffect(
    () =>
      live.onEvent((event) => {
        if (event.kind === "gate.refused") setRefusals((old) => merge([fromEvent(event)], old));
      }),
    [live],
  );
  return {
    refusals,
    isReady,
    hasMore: before !== null,
    error,
    more: () => {
      if (!isBusy && before !== null) void read(before);
    },
  };
};

const merge = (a: readonly RefusalView[], b: readonly RefusalView[]): readonly RefusalView[] => {
  const bySeq = new Map([...b, ...a].map((one) => [one.seq, one]));
  return [...bySeq.values()].toSorted((x, y) => y.seq - x.seq);
};

const fromEvent = ({ seq, at, actor, data }: LiveEvent): RefusalView => {
  const text = (name: string): string => (typeof data[name] === "string" ? data[name] : "");
  return {
    ...{ seq, at, actor: actor ?? "" },
    ...{ code: text("code"), path: text("path"), tool: text("tool") },
    ...{ message: text("message"), remedy: text("remedy") },
    ...(text("symbol") && { symbol: text("symbol") }),
    ...(text("kept") && { kept: text("kept") }),
  };
};
