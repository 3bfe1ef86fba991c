/** Messages of the language server protocol on a stream of bytes: a length in a header, then JSON. */
export const encodeMessage = (message: object): Buffer => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body]);
};

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Diagnostics of one file are far smaller; a larger announcement is a broken stream. */
const messageBytesMax = 64 * 1024 * 1024;

export class MessageReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #wanted: number | undefined;

  /** Messages that are complete with this chunk. Throws on what is no such stream. */
  take(chunk: Buffer): Message[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const found: Message[] = [];
    for (;;) {
      this.#wanted ??= this.#readHeader();
      if (this.#wanted === undefined || this.#size < this.#wanted) return found;
      const whole = this.#joined();
      found.push(JSON.parse(whole.toString("utf8", 0, this.#wanted)) as Message);
      this.#keep(whole.subarray(this.#wanted));
      this.#wanted = undefined;
    }
  }

  #readHeader(): number | undefined {
    const whole = this.#joined();
    const end = whole.indexOf("\r\n\r\n");
    if (end < 0) {
      if (whole.length > 4096) throw new Error("no header");
      return undefined;
    }
    const length = /^content-length:\s*(\d+)\s*$/im.exec(whole.toString("latin1", 0, end))?.[1];
    if (length === undefined || Number(length) > messageBytesMax) throw new Error("no length");
    this.#keep(whole.subarray(end + 4));
    return Number(length);
  }

  #joined(): Buffer {
    const whole = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [whole ?? Buffer.alloc(0)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #keep(rest: Buffer): void {
    this.#chunks = [rest];
    this.#size = rest.length;
  }
}
