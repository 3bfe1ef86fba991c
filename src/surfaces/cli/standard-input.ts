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

const interrupted = () =>
  new HeadgateError("INTERRUPTED", "interrupted while reading standard input");
