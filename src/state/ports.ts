import { type Clock, systemClock } from "../base/clock.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { ownIdentity, type ProcessIdentity } from "../base/process-identity.ts";
import { type Random, systemRandom } from "../base/random.ts";

/** What the room touches of the outside; every public function takes these as optional parameters. */
export interface StatePorts {
  readonly files?: Files;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Whose name goes into temporaries. */
  readonly owner?: ProcessIdentity;
}

export const resolvePorts = (ports: StatePorts): Required<StatePorts> => ({
  files: ports.files ?? systemFiles,
  clock: ports.clock ?? systemClock,
  random: ports.random ?? systemRandom,
  owner: ports.owner ?? ownIdentity(),
});
