/** Finds those who wait for each other in a circle (G9). */

export interface Waiting {
  readonly id: string;
  readonly actor: string;
}

export interface Circle<W extends Waiting> {
  /** Actors, each waiting for the next; the first is repeated at the end. */
  readonly actors: readonly string[];
  /** The waiters that form it, one per actor. */
  readonly waiters: readonly W[];
}

/**
 * A circle through the waiter `start`, or undefined. Whom a waiter waits for is asked only for those
 * that can be reached from `start`, and once for each.
 */
export const findCircle = async <W extends Waiting>(
  start: W,
  all: readonly W[],
  waitsFor: (waiter: W) => Promise<readonly string[]>,
): Promise<Circle<W> | undefined> => {
  const byActor = Map.groupBy(all, (waiter) => waiter.actor);
  const cameFrom = new Map<W, W>();
  const open = [start];
  const visited = new Set([start.actor]);
  for (let waiter = open.pop(); waiter !== undefined; waiter = open.pop()) {
    for (const actor of await waitsFor(waiter)) {
      if (actor === start.actor) return circleFrom(waiter, cameFrom);
      if (visited.has(actor)) continue;
      visited.add(actor);
      for (const next of byActor.get(actor) ?? []) {
        cameFrom.set(next, waiter);
        open.push(next);
      }
    }
  }
  return undefined;
};

const circleFrom = <W extends Waiting>(last: W, cameFrom: ReadonlyMap<W, W>): Circle<W> => {
  const waiters: W[] = [];
  for (let one: W | undefined = last; one !== undefined; one = cameFrom.get(one))
    waiters.unshift(one);
  const actors = waiters.map((waiter) => waiter.actor);
  return { actors: [...actors, ...actors.slice(0, 1)], waiters };
};
