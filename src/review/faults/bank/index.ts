/** The planted faults and clean files, by what they are about. */
import type { CleanProbe, PlantedFault } from "../types.ts";
import { apiCompatibility } from "./api-compatibility.ts";
import { concurrency } from "./concurrency.ts";
import { correctness } from "./correctness.ts";
import { dataMigration } from "./data-migration.ts";
import { design } from "./design.ts";
import { domains } from "./domains.ts";
import { people } from "./people.ts";
import { performance } from "./performance.ts";
import { safety } from "./safety.ts";

const all: readonly (PlantedFault | CleanProbe)[] = [
  ...safety,
  ...correctness,
  ...concurrency,
  ...performance,
  ...dataMigration,
  ...apiCompatibility,
  ...design,
  ...people,
  ...domains,
];

export const faultBank: readonly PlantedFault[] = all.filter((one) => "line" in one);
export const cleanProbes: readonly CleanProbe[] = all.filter((one) => !("line" in one));
