/** Records of edits that nothing believes: forged, damaged, or of another key. Recovery leaves them as they are. */
import { join } from "node:path";
import { HeadgateError } from "../errors.ts";
import { Journal } from "./journal.ts";
import { type EditPorts, resolvePorts } from "./ports.ts";

/** One error for each; nothing is changed. `dir` is the journal's. */
export const damagedRecords = (dir: string, given: EditPorts = {}): readonly HeadgateError[] => {
  const ports = resolvePorts(given);
  if (!ports.files.stat(join(dir, "open"))) return [];
  const journal = new Journal(dir, ports);
  return journal.list().flatMap(({ id, phase }) => {
    try {
      journal.read(id, phase);
      return [];
    } catch (error) {
      if (HeadgateError.isInstance(error) && error.code !== "INTERNAL") return [error];
      throw error;
    }
  });
};
