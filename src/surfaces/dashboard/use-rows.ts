/**
 * A long list of which only the part in sight is here. Pages are asked for as they come into sight; when
 * something happened, those in sight are asked for again and the others forgotten.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { useTick } from "./use-answer.ts";

export interface Page<R> {
  readonly rows: readonly R[];
  readonly total: number;
}

export interface Rows<R> {
  readonly total: number;
  /** Undefined while it is on its way. */
  row(index: number): R | undefined;
  /** Tells which rows are in sight. */
  see(first: number, last: number): void;
  readonly error: Error | undefined;
  readonly isReady: boolean;
}

/** `key` says which list it is. */
export const useRows = <R>(
  key: string,
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Page<R>>,
): Rows<R> => {
  const tick = useTick();
  const [, show] = useState(0);
  const [error, setError] = useState<Error>();
  const state = useRef({
    key: "",
    /** Of which list the rows are: the old ones stay until the first of the new ones are there. */
    shown: "",
    tick: -1,
    total: 0,
    isReady: false,
    pages: new Map<number, readonly R[]>(),
    asked: new Map<number, number>(),
    sight: [0, 0] as [number, number],
  }).current;
  const ending = useRef<AbortController>(undefined);

  const ask = (): void => {
    const [first, last] = state.sight;
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
      if (state.asked.get(page) === state.tick) continue;
      state.asked.set(page, state.tick);
      void fetchPage(page, state.key, state.tick);
    }
  };
  const fetchPage = async (page: number, asked: string, at: number): Promise<void> => {
    const signal = ending.current?.signal ?? new AbortController().signal;
    try {
      const answer = await load(page * pageSize, pageSize, signal);
      if (state.key !== asked) return;
      if (state.shown !== asked) state.pages.clear();
      state.shown = asked;
      state.total = answer.total;
      state.pages.set(page, answer.rows);
      state.isReady = true;
      if (state.tick === at) forgetOthers(state);
      setError(undefined);
      show((count) => count + 1);
    } catch (problem) {
      if (signal.aborted || state.key !== asked) return;
      state.asked.delete(page);
      setError(problem as Error);
    }
  };

  useEffect(() => {
    ending.current = new AbortController();
    return () => ending.current?.abort();
  }, [key]);
  useEffect(() => {
    state.key = key;
    state.tick += 1;
    ask();
  }, [key, tick]);

  return {
    total: state.total,
    row: (index) => state.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    see: (first, last) => {
      state.sight = [Math.max(0, first), Math.max(0, Math.min(last, state.total - 1))];
      ask();
    },
    error,
    isReady: state.isReady,
  };
};

/** Pages that were fetched before something happened are wrong by now. */
const forgetOthers = <R>(state: {
  readonly tick: number;
  readonly pages: Map<number, readonly R[]>;
  readonly asked: Map<number, number>;
}): void => {
  for (const page of state.pages.keys()) {
    if (state.asked.get(page) !== state.tick) state.pages.delete(page);
  }
};

const pageSize = 100;
