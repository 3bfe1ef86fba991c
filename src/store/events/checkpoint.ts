/**
 * How far the log of a scope was verified, kept beside the store. A code made with the state folder's key says that
 * this program wrote it: altering events and a checkpoint would need that key, too.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { errnoOf, type Files } from "../../base/files.ts";
import { makeKey, readKey } from "../../base/key-file.ts";
import { writeFileAtomicSync } from "../../state/index.ts";

export interface EventCheckpoint {
  readonly scope: string;
  /** The last event that was verified, and its hash. */
  readonly seq: number;
  readonly hash: string;
  /** Where the log began, and whether the event that says so was met. */
  readonly prunedSeq: number;
  readonly prunedHash: string;
  readonly isPruneMet: boolean;
}

export interface CheckpointPlace {
  readonly dir: string;
  readonly files: Files;
}

/** Undefined where none was kept; "unproven" where this program did not write the file. */
export const readCheckpoint = ({
  dir,
  files,
}: CheckpointPlace): EventCheckpoint | "unproven" | undefined => {
  let text: string;
  try {
    text = files.readFile(join(dir, fileName)).toString("utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const [code = "", checkpoint = ""] = text.split("\n");
  const key = readKey(join(dir, keyName), files);
  if (key === undefined || !/^[0-9a-f]{64}$/.test(code)) return "unproven";
  const isOurs = timingSafeEqual(Buffer.from(code, "hex"), codeFor(key, checkpoint));
  return isOurs ? (JSON.parse(checkpoint) as EventCheckpoint) : "unproven";
};

export const keepCheckpoint = (
  { dir, files }: CheckpointPlace,
  checkpoint: EventCheckpoint,
): void => {
  const path = join(dir, keyName);
  const key = readKey(path, files) ?? makeKey(path, files) ?? "";
  const text = JSON.stringify(checkpoint);
  const bytes = Buffer.from(`${codeFor(key, text).toString("hex")}\n${text}\n`);
  writeFileAtomicSync(join(dir, fileName), bytes, { files, durability: "normal", mode: 0o600 });
};

const fileName = "events-verified";
const keyName = "events-verified.key";

const codeFor = (key: string, text: string): Buffer =>
  createHmac("sha256", key).update(`headgate events verified 1\n${text}`).digest();
