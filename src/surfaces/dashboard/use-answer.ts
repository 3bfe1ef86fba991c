/** One question, asked again whenever something happened; the last answer stays until the next is there. */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { get } from "./call.ts";
import type { Connection, Live } from "./live.ts";

export const LiveContext = createContext<Live | undefined>(undefined);

export const useLive = (): Live => {
  const live = useContext(LiveContext);
  if (!live) throw new Error("outside of the page");
  return live;
};

/** Moves on when what is shown may be old. */
export const useTick = (): number => {
  const live = useLive();
  const [tick, setTick] = useState(live.tick);
  useEffect(() => live.subscribe(() => setTick(live.tick)), [live]);
  return tick;
};

export const useConnection = (): Connection => {
  const live = useLive();
  const [connection, setConnection] = useState(live.connection);
  useEffect(() => live.subscribe(() => setConnection(live.connection)), [live]);
  return connection;
};

export interface Answered<T> {
  readonly answer: T | undefined;
  readonly error: Error | undefined;
}

/** `path` undefined: nothing to ask yet. `isLive` false: asked once. */
export const useAnswer = <T>(
  path: string | undefined,
  { isLive = true }: { isLive?: boolean } = {},
): Answered<T> => {
  const tick = useTick();
  const [state, setState] = useState<Answered<T> & { path?: string }>({
    answer: undefined,
    error: undefined,
  });
  useEffect(() => {
    if (path === undefined) return undefined;
    const ending = new AbortController();
    get<T>(path, ending.signal).then(
      (answer) => !ending.signal.aborted && setState({ answer, error: undefined, path }),
      (error: Error) => {
        if (ending.signal.aborted) return;
        setState((old) => ({ answer: old.path === path ? old.answer : undefined, error, path }));
      },
    );
    return () => ending.abort();
  }, [path, isLive ? tick : 0]);
  return state;
};
