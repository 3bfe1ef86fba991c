/**
 * What passed the gate lately: a line for each, added by one write at the end of the file, because it is on
 * the way of every edit. A line that was cut by a crash is skipped: its write is told about later
 * although it passed. When the file is full it becomes the older one of two.
 */
import { type Files, errnoOf, openFlags } from "../../../base/files.ts";
import { sha256 } from "../../../base/sha256.ts";
import { ringLimits } from "./ring-limits.ts";

export interface Passed {
  readonly root: string;
  readonly path: string;
  /** Null: deleted. */
  readonly hash: string | null;
  readonly at: number;
  /** Not let through, but told to somebody already. */
  readonly isReported?: true;
}

type Line = readonly [key: string, hash: string | null, at: number, isReported: 0 | 1];

export class PassedLog {
  readonly #file: string;
  readonly #files: Files;
  readonly #makeFolder: () => void;

  constructor(file: string, files: Files, makeFolder: () => void) {
    this.#file = file;
    this.#files = files;
    this.#makeFolder = makeFolder;
  }

  add(passed: readonly Passed[]): void {
    const lines = passed.map(({ root, path, hash, at, isReported }) =>
      JSON.stringify([keyOf(root, path), hash, at, isReported ? 1 : 0] satisfies Line),
    );
    // It begins a line of its own, whatever a crash has left before it.
    const text = Buffer.from(`\n${lines.join("\n")}\n`);
    const fd = this.#open();
    try {
      this.#files.write(fd, text, 0);
      const { size, ino } = this.#files.statHandle(fd);
      const isFull = size > ringLimits.passedBytesMax;
      // Somebody else may have put a new one in its place already.
      if (isFull && this.#files.stat(this.#file)?.ino === ino) {
        this.#files.rename(this.#file, `${this.#file}.old`);
      }
    } finally {
      this.#files.close(fd);
    }
  }

  /** Whether a content passed lately, or was told about since `since`; as it is known now. */
  known(root: string, since: number): (path: string, hash: string | null) => boolean {
    const lines = [`${this.#file}.old`, this.#file].flatMap((file) => this.#read(file));
    const fresh = lines.filter(
      ([, , at, isReported]) => at >= (isReported ? since : since - ringLimits.admissionMs),
    );
    const known = new Set(fresh.map(([key, hash]) => `${key} ${hash}`));
    return (path, hash) => known.has(`${keyOf(root, path)} ${hash}`);
  }

  #open(): number {
    try {
      return this.#files.open(this.#file, openFlags.append, 0o600);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      this.#makeFolder();
      return this.#files.open(this.#file, openFlags.append, 0o600);
    }
  }

  #read(file: string): Line[] {
    // Nothing of ours grows so large; what is damaged is as good as not there.
    const stat = this.#files.stat(file);
    if (!stat?.isFile() || stat.size > 4 * ringLimits.passedBytesMax) return [];
    const lines = this.#files.readFile(file).toString("utf8").split("\n");
    return lines.map(lineOf).filter((line) => line !== undefined);
  }
}

/** Names from outside are kept as fingerprints only. */
const keyOf = (root: string, path: string): string => sha256(`${root}\0${path}`).slice(0, 32);

const lineOf = (text: string): Line | undefined => {
  if (text === "") return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return Array.isArray(line) && line.length === 4 && typeof line[2] === "number"
      ? (line as unknown as Line)
      : undefined;
  } catch {
    return undefined;
  }
};
