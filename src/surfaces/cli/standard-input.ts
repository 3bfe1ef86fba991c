import { HeadgateError } from "../../errors.ts";

/** Reads a stream to its end, at most `bytesMax` bytes, and stops when the signal aborts. */
export const readStandardInput = async (
  stream: NodeJS.ReadStream,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stream.destroy(interrupted());
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) throw interrupted();
    for await (const chunk of stream) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
      size += bytes.length;
      if (size > bytesMax) {
        throw new HeadgateError(
          "INPUT_TOO_LARGE",
          `standard input is larger than the limit of ${bytesMax} bytes`,
          { data: { limitBytes: bytesMax } },
        );
      }
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

/** Line by line, however long the whole is; a line without its ending. */
export async function* readStandardLines(
  stream: NodeJS.ReadStream,
  lineBytesMax: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let size = 0;
  const stop = () => stream.destroy(interrupted());
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) throw interrupted();
    for await (const chunk of stream) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        const line = Buffer.concat([...rest, bytes.subarray(from, at)]).toString("utf8");
        [rest, size, from] = [[], 0, at + 1];
        yield line;
      }
      rest.push(bytes.subarray(from));
      size += bytes.length - from;
      if (size > lineBytesMax) {
        throw new HeadgateError(
          "INPUT_TOO_LARGE",
          `a line of standard input is larger than the limit of ${lineBytesMax} bytes`,
          { data: { limitBytes: lineBytesMax } },
        );
      }
    }
    const last = Buffer.concat(rest).toString("utf8");
    if (last !== "") yield last;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const interrupted = () =>
  new HeadgateError("INTERRUPTED", "interrupted while reading standard input");
