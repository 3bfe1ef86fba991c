/** A command that decides whether an edit stays (E-15): tests, a type check. */
import { plural, showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";

/** Runs a program without a shell in a process group of its own, and ends the whole group with it. */
export type RunCommand = (
  argv: readonly [string, ...string[]],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    /** How much of the end of what it writes is kept, of both outputs in the order they came. */
    readonly tailBytes: number;
  },
) => Promise<CommandEnd>;

export interface CommandEnd {
  readonly ended: "exit" | "signal" | "timeout" | "not-found";
  readonly code?: number;
  readonly signal?: string;
  readonly output: Buffer;
  /** More was written than is kept. */
  readonly isCut: boolean;
}

export interface Verified {
  readonly ok: boolean;
  readonly message: string;
  readonly code?: number;
  /** The end of its output, safe to show: no control characters besides line ends and tabs. */
  readonly output: string;
  readonly isCut: boolean;
  readonly tookMs: number;
}

export interface VerifyOptions {
  readonly run: RunCommand;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly clock: { monoMs(): number };
}

export const verifyTimeoutMs = 10 * 60_000;
const verifyTimeoutMsMax = 24 * 60 * 60_000;
const tailBytes = 16 * 1024;

/** A command that cannot be started is a failure as well: what was not checked must not pass. */
export const runVerify = async (
  argv: readonly string[],
  options: VerifyOptions,
): Promise<Verified> => {
  const [file, ...args] = argv;
  if (file === undefined || file === "" || argv.some((word) => word.includes("\0"))) {
    throw new HeadgateError("USAGE", "the verify command is a list: a program and its arguments");
  }
  const { timeoutMs = verifyTimeoutMs } = options;
  if (!(timeoutMs > 0 && timeoutMs <= verifyTimeoutMsMax)) {
    throw new HeadgateError("USAGE", "the time for the verify command is above 0 and at most 24 h");
  }
  const startMs = options.clock.monoMs();
  const end = await options.run([file, ...args], {
    cwd: options.root,
    env: options.env,
    timeoutMs,
    tailBytes,
  });
  const shown = showText(argv.join(" "));
  return {
    ok: end.ended === "exit" && end.code === 0,
    message: `${shown} ${describe(end, timeoutMs)}`,
    ...(end.code !== undefined && { code: end.code }),
    output: safeText(end.output),
    isCut: end.isCut,
    tookMs: Math.round(options.clock.monoMs() - startMs),
  };
};

const describe = ({ ended, code, signal }: CommandEnd, timeoutMs: number): string => {
  if (ended === "timeout") {
    return `did not end within ${plural(Math.round(timeoutMs / 100) / 10, "second")}`;
  }
  if (ended === "not-found") return "was not found";
  if (ended === "signal") return `was ended by ${signal ?? "a signal"}`;
  return code === 0 ? "passed" : `failed with exit code ${code ?? -1}`;
};

/** Terminal escapes in a program's output must not reach whoever reads the answer. */
const safeText = (bytes: Buffer): string =>
  bytes
    .toString("utf8")
    // oxlint-disable-next-line no-control-regex -- removing colours is the purpose here.
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .split("\n")
    .map((line) =>
      line
        .replace(/\r$/, "")
        .split("\t")
        .map((part) => showText(part, 2_000))
        .join("\t"),
    )
    .join("\n");
