import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { shortOutput } from "../../../src/surfaces/cli/short-output.ts";
import { describeWith } from "../../helpers/not-run.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

/** Stands for `process.stdout`: opened at most once, and it writes to the same handle. */
const streamOf = (fd: number) => {
  const seen = { opened: 0, text: "" };
  const stream = () => {
    seen.opened += 1;
    return Object.assign(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          seen.text += chunk.toString();
          try {
            writeSync(fd, chunk);
          } catch {
            // Full: what matters here is that it was handed over.
          }
          done();
        },
      }),
      { isTTY: true },
    ) as unknown as NodeJS.WriteStream;
  };
  return { seen, stream };
};

const open = (path: string, flags: number): number => {
  const fd = openSync(path, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
};

const failed = (error: Error): void => {
  throw error;
};

describe("short output", () => {
  it("goes straight into a file, and loads no stream", () => {
    const path = join(temporaryFolder(), "out");
    const fd = open(path, constants.O_CREAT | constants.O_WRONLY);
    const { seen, stream } = streamOf(fd);
    const sink = shortOutput(fd, stream, failed);
    expect(sink.isTTY).toBe(false);
    sink.write("claimed ä\n");
    sink.write("until noon\n");
    expect(readFileSync(path, "utf8")).toBe("claimed ä\nuntil noon\n");
    expect(seen.opened).toBe(0);
  });

  it("goes to the stream from the first text on that is long, in order", () => {
    const path = join(temporaryFolder(), "out");
    const fd = open(path, constants.O_CREAT | constants.O_WRONLY);
    const { seen, stream } = streamOf(fd);
    const sink = shortOutput(fd, stream, failed);
    const long = "x".repeat(10_000);
    for (const text of ["first\n", long, "last\n"]) sink.write(text);
    expect(readFileSync(path, "utf8")).toBe(`first\n${long}last\n`);
    expect(seen).toEqual({ opened: 1, text: `${long}last\n` });
  });

  it("leaves a device, which may be a terminal, to the stream", () => {
    const fd = open("/dev/null", constants.O_WRONLY);
    const { seen, stream } = streamOf(fd);
    const sink = shortOutput(fd, stream, failed);
    expect(sink.isTTY).toBe(true);
    sink.write("x");
    expect(seen).toEqual({ opened: 1, text: "x" });
  });

  it("reports what the system refuses", () => {
    const path = join(temporaryFolder(), "out");
    const fd = open(path, constants.O_CREAT | constants.O_RDONLY);
    const errors: Error[] = [];
    const sink = shortOutput(fd, streamOf(fd).stream, (error) => errors.push(error));
    sink.write("x");
    expect(errors).toMatchObject([{ code: "EBADF" }]);
  });
});

describeWith({ platforms: ["linux", "darwin"], programs: ["mkfifo"] }, "output to a pipe", () => {
  it("that is full and does not block goes on in the stream, without a gap", () => {
    const path = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [path]);
    const reading = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    // Filled, and then one page is read: exactly one more fits.
    const page = Buffer.alloc(4096);
    expect(() => {
      for (;;) writeSync(fd, page);
    }).toThrow("EAGAIN");
    expect(readSync(reading, page)).toBe(4096);
    const { seen, stream } = streamOf(fd);
    const sink = shortOutput(fd, stream, failed);
    sink.write("a".repeat(4000));
    sink.write("b".repeat(96));
    expect(seen).toEqual({ opened: 0, text: "" });
    const second = shortOutput(fd, stream, failed);
    second.write("c".repeat(50));
    second.write("d");
    expect(seen).toEqual({ opened: 1, text: `${"c".repeat(50)}d` });
  });
});
