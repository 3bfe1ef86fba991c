/** Work that killed processes left half done. Nothing is loaded for a look that finds nothing. */
import { join } from "node:path";
import { systemFiles } from "./base/files.ts";
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
  repair(options?: RepairOptions): Promise<readonly Leftover[]>;
  /** Looks everywhere. Without `repairs` it changes nothing. */
  verify(options: { readonly repairs: boolean }): Promise<VerifyResult>;
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
    repair: async (options) => {
      const { repairLeftWork } = await import("./verify/index.ts");
      const found = await repairLeftWork(ports, options);
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
