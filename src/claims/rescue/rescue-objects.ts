/**
 * Git objects made here and handed to git in packs. The whole tree and its commit are built in memory,
 * so there is no index file, neither the user's nor a temporary one, that a crash could leave behind.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { limits } from "../../base/limits.ts";

export type ObjectFormat = "sha1" | "sha256";
export type ObjectType = "commit" | "tree" | "blob";

export interface GitObject {
  readonly type: ObjectType;
  readonly content: Uint8Array;
}

export const objectId = (format: ObjectFormat, { type, content }: GitObject): string =>
  createHash(format).update(`${type} ${content.byteLength}\0`).update(content).digest("hex");

/** Collects objects and stores them whenever enough have come together. */
export class ObjectSink {
  readonly #format: ObjectFormat;
  readonly #store: (pack: Buffer) => Promise<void>;
  readonly #stored = new Set<string>();
  #waiting: GitObject[] = [];
  #waitingBytes = 0;

  constructor(format: ObjectFormat, store: (pack: Buffer) => Promise<void>) {
    this.#format = format;
    this.#store = store;
  }

  /** Returns the object's id. */
  async add(object: GitObject): Promise<string> {
    const id = objectId(this.#format, object);
    if (this.#stored.has(id)) return id;
    this.#stored.add(id);
    this.#waiting.push(object);
    this.#waitingBytes += object.content.byteLength;
    const isFull =
      this.#waitingBytes >= limits.rescueBatchBytes ||
      this.#waiting.length >= limits.rescueBatchObjects;
    if (isFull) await this.flush();
    return id;
  }

  /** After this every object that was added is in the repository. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const pack = await packOf(this.#format, this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#store(pack);
  }
}

/** Version 2 of git's pack format, without deltas. */
const packOf = async (format: ObjectFormat, objects: readonly GitObject[]): Promise<Buffer> => {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { type, content } of objects) {
    parts.push(packHeader(type, content.byteLength), await compress(content, { level: 1 }));
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash(format).update(body).digest()]);
};

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate);

const packTypes = { commit: 1, tree: 2, blob: 3 } as const;

/** Type and size: four bits of the size beside the type, then seven in each byte, lowest first. */
const packHeader = (type: ObjectType, size: number): Buffer => {
  const bytes: number[] = [];
  let byte = (packTypes[type] << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 0 ? byte | 128 : byte);
    if (rest === 0) return Buffer.from(bytes);
    byte = rest & 127;
  }
};
