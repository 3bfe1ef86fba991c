/** What this room touches of the outside, given by whoever opens it. */
import { type Clock, systemClock } from "../base/clock.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { ownIdentity, type ProcessIdentity } from "../base/process-identity.ts";

export interface EditPorts {
  readonly files?: Files;
  readonly clock?: Clock;
  /** Whose name goes into the journal. */
  readonly owner?: ProcessIdentity;
  /**
   * Removes one empty folder, and fails with ENOTEMPTY on any other. Without it the folders that a failed
   * edit had made stay behind, empty.
   */
  readonly removeFolder?: (path: string) => void;
  /** Called after each step of the protocol; a crash test ends the process there. */
  readonly onStep?: (step: EditStep, path?: string) => void;
}

/** Where a crash leaves something different behind. */
export type EditStep =
  | "kept"
  | "recorded"
  | "folder"
  | "temporary"
  | "prepared"
  | "checked"
  | "written"
  | "half-written"
  | "synced"
  | "verified"
  | "done"
  | "tidied"
  | "stored"
  | "returning"
  | "returned"
  | "all-returned"
  | "cleaned";

export type Ports = Required<Omit<EditPorts, "removeFolder">> & Pick<EditPorts, "removeFolder">;

export const resolvePorts = (ports: EditPorts): Ports => ({
  files: ports.files ?? systemFiles,
  clock: ports.clock ?? systemClock,
  owner: ports.owner ?? ownIdentity(),
  onStep: ports.onStep ?? (() => {}),
  ...(ports.removeFolder && { removeFolder: ports.removeFolder }),
});
