/**
 * Durable files. Invariants (tests carry the same ids):
 * S-01 an interruption at any instruction leaves the old or the new content, and at most a temporary;
 * S-02 updates of one file through this room happen one after another; none is lost;
 * S-05 recovery never replaces newer good content, and never touches what a live process is writing;
 * S-10 corrupt content is an error and is kept; it is never taken for "no content".
 * Classes: `required` (default) survives a power cut once the call returned; `normal` skips the folder's
 * sync, so a power cut may bring the old content back; `cache` syncs nothing. See durability.ts.
 * Not here: protection from programs that write the file without this room (locks are advisory).
 */
export {
  type Transform,
  updateFileAtomic,
  writeFileAtomic,
  writeFileAtomicSync,
  type WriteOptions,
  type WriteResult,
} from "./atomic-file.ts";
export { contentHash, isContentHash } from "./content-hash.ts";
export { unseal } from "./json-envelope.ts";
export { type JsonOptions, readJson, setJsonValue, updateJson, writeJson } from "./json-file.ts";
export { indentUnit, insertMember, lineIndent } from "./json-layout.ts";
export { parseJsonText } from "./json-text.ts";
export { type MarkdownChange, setMarkdownValue } from "./markdown-file.ts";
export {
  releaseKernelLock,
  tryKernelLock,
  waitForKernelLock,
  whileKernelLocked,
} from "./kernel-lock.ts";
export type { StatePorts } from "./ports.ts";
export type { Parsed, Problem } from "./problem.ts";
export { readContent } from "./read-content.ts";
export {
  checkState,
  type RecoveryOptions,
  recoverState,
  type StateFailure,
  type StateReport,
} from "./recovery.ts";
export type { CorruptFinding, Decision, TemporaryFinding } from "./judgement.ts";
export type { Durability } from "./durability.ts";
export type { Schema, StandardSchema } from "./schema.ts";
export { type ContentKind, type ContentRules, kindOf, validateContent } from "./validation.ts";
export { setYamlValue } from "./yaml-file.ts";
export { endWork, findLeftWork, findOddWork, noteWork, type WorkNote } from "./work-notes.ts";
