import { errnoOf, systemFiles } from "../../base/files.ts";
import type { Sink } from "./terminal-output.ts";

/**
 * Standard output or error of a program that mostly says a line or two: written by a system call,
 * because Node's streams take longer to load than most commands to run. What is longer, and what goes to
 * a terminal, goes to the stream, and all that follows, so that the order stays.
 */
export const shortOutput = (
  fd: number,
  stream: () => NodeJS.WriteStream,
  onError: (error: Error) => void,
): Sink => {
  let opened: NodeJS.WriteStream | undefined;
  let bytesLeft = isPlain(fd) ? bytesMax : 0;
  const open = (): NodeJS.WriteStream => {
    bytesLeft = 0;
    opened ??= stream().on("error", onError);
    return opened;
  };
  return {
    get isTTY() {
      // Neither a pipe nor a file is one, and asking the stream would load it.
      return bytesLeft === 0 && open().isTTY;
    },
    get columns() {
      return bytesLeft === 0 ? open().columns : undefined;
    },
    write: (text) => {
      const bytes = Buffer.from(text, "utf8");
      if (bytes.length > bytesLeft) return open().write(bytes);
      bytesLeft -= bytes.length;
      let written = 0;
      try {
        while (written < bytes.length) written += systemFiles.write(fd, bytes, written);
      } catch (error) {
        // Somebody shares the pipe, has made it non-blocking and filled it: the stream can wait.
        if (errnoOf(error) === "EAGAIN") return open().write(bytes.subarray(written));
        onError(error as Error);
      }
      return true;
    },
  };
};

/** Less than any pipe holds, so that a reader who does not read cannot stop the program. */
const bytesMax = 8192;

const isPlain = (fd: number): boolean => {
  try {
    const stat = systemFiles.statHandle(fd);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch (error) {
    // A handle that was closed before we started is the stream's to deal with.
    if (errnoOf(error) !== undefined) return false;
    throw error;
  }
};
