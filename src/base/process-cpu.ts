/** How much processor time a process has used: a late answer of one that got none says nothing about its work. */
import { platform } from "node:os";
import { systemFiles } from "./files.ts";

/** Of all its threads, since it began; undefined where the system does not show it, or it has ended. */
export const cpuTimeMs = (pid: number): number | undefined => {
  if (platform() !== "linux") return undefined;
  try {
    const stat = systemFiles.readFile(`/proc/${pid}/stat`).toString("latin1");
    // The name may hold anything, so count from its end; the first field after it is the third of all.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
};

/** Linux counts in hundredths of a second for programs, whatever it uses itself. */
const tickMs = 10;
