/** One change that a person asked for: told when it is done, shown with its remedy when it is refused. */
import { useState } from "preact/hooks";
import type { ActionAnswer } from "../http/api/shapes.ts";
import { post } from "./call.ts";
import { say } from "./toast.tsx";
import { useConnection, useLive } from "./use-answer.ts";

export interface PersonAction {
  /** Does them one after the other, up to the first that is refused; closes when all are done. */
  act(...steps: readonly Step[]): Promise<void>;
  readonly error: Error | undefined;
  /** Nothing can be done now: something is being done, or the server is away. */
  readonly isBusy: boolean;
}

/** The address behind /api/actions/, and what is sent to it. */
export type Step = readonly [name: string, body: object];

export const useAction = (close: () => void): PersonAction => {
  const live = useLive();
  const isOnline = useConnection() === "live";
  const [error, setError] = useState<Error>();
  const [isActing, setActing] = useState(false);
  return {
    error,
    isBusy: isActing || !isOnline,
    act: async (...steps) => {
      setActing(true);
      setError(undefined);
      try {
        for (const [name, body] of steps) {
          say((await post<ActionAnswer>(`/api/actions/${name}`, body)).text);
        }
        close();
      } catch (problem) {
        setError(problem as Error);
      } finally {
        setActing(false);
        live.refresh();
      }
    },
  };
};
