import { isoTime } from "../../base/clock.ts";
import type { RunState } from "../types.ts";
import type { RunRow } from "./run-rows.ts";
import * as sql from "./run-statements.ts";
import type { RunPlace } from "./run-store.ts";

export interface RunLine {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Newest first. */
export const listRuns = async (place: RunPlace, limit = 100): Promise<readonly RunLine[]> => {
  const there = await place.look();
  if (!there) return [];
  return there.store.read(async (tx) => {
    const rows = await tx.all<RunRow>(sql.selectRuns, { scope: there.scope.id, count: limit });
    return rows.map(({ id, name, state, created_at: created, updated_at: updated }) => ({
      ...{ id, name, state },
      createdAt: isoTime(created),
      updatedAt: isoTime(updated),
    }));
  });
};
