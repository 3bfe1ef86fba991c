/** Work that killed processes left half done. Nothing is loaded for a look that finds nothing. */
import { join } from "node:path";
import { systemFiles } from "./base/files.ts";
import { limits } from "./base/limits.ts";
import { listWork } from "./base/work-folder.ts";
import type { EventLog } from "./compose-events.ts";
import type { StoreHandles } from "./compose-store.ts";
import { gitDirOf, type Repository } from "./git/index.ts";
import type { NewNotice } from "./notices/index.ts";
import type { Leftover, RepairOptions, VerifyPorts, VerifyResult } from "./verify/index.ts";

export interface LeftWork {
  /** One read and one look at git's lock; work of living processes counts, too. */
  isThere(options?: RepairOptions): boolean;
  /** Finishes or takes back what dead processes left; the authors get a notice. */
  repair(options?: RepairOptions & RepairTelling): Promise<readonly Leftover[]>;
  /** Looks everywhere. Without `repairs` it changes nothing. */
  verify(options: { readonly repairs: boolean }): Promise<VerifyResult>;
}

interface RepairTelling {
  /** The answer is shown to a reader: it names an unusable record once, and not again. */
  readonly isSaid?: boolean;
}

export const leftWorkOf = ({
  handles,
  notify,
  ...parts
}: Omit<VerifyPorts, "look" | "events"> & {
  readonly handles: StoreHandles;
  readonly events: EventLog;
  notify(notices: readonly NewNotice[]): Promise<void>;
}): LeftWork => {
  const ports: VerifyPorts = { ...parts, look: () => handles.look() };
  return {
    isThere: ({ onlyEdits = false } = {}) =>
      listWork(parts.repository.localDir).length > 0 || (!onlyEdits && isLocked(parts.repository)),
    repair: async ({ isSaid = false, ...options } = {}) => {
      const { repairLeftWork } = await import("./verify/index.ts");
      const all = await repairLeftWork(ports, options);
      const found = isSaid ? await leaveOutSaid(all, parts.events) : all;
      const repaired = found.filter((one) => one.repaired);
      for (const { code, what } of repaired) {
        await parts.events.append({ kind: "work.repaired", data: { code, what } });
      }
      await notify(
        repaired.flatMap(({ actor, what }) =>
          actor === undefined ? [] : [{ to: actor, kind: "note", text: `repaired: ${what}` }],
        ),
      );
      return found;
    },
    verify: async (options) => {
      const { verifyRepository } = await import("./verify/index.ts");
      return verifyRepository(ports, options);
    },
  };
};

const isLocked = ({ worktree }: Repository): boolean => {
  const gitDir = gitDirOf(worktree, systemFiles);
  return gitDir !== undefined && systemFiles.stat(join(gitDir, "index.lock")) !== undefined;
};

/** `status` and `verify` list it all the time. */
const leaveOutSaid = async (
  found: readonly Leftover[],
  events: EventLog,
): Promise<readonly Leftover[]> => {
  const unreadable = found.filter(({ code }) => code.endsWith("_UNREADABLE"));
  if (unreadable.length === 0) return found;
  const { events: earlier } = await events.page({ kind: saidKind, last: limits.eventPageMax });
  const said = new Set(earlier.map(({ data }) => data["what"]));
  for (const { code, what } of unreadable) {
    if (!said.has(what)) await events.append({ kind: saidKind, data: { code, what } });
  }
  return found.filter(({ what }) => !said.has(what));
};

const saidKind = "work.unreadable";
