import { HeadgateError } from "../../errors.ts";

export interface TerminalStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** A line from the person at the terminal; undefined when nobody is there. Throws INTERRUPTED. */
export const askAtTerminal = async (
  question: string,
  { input, output, signal }: TerminalStreams,
): Promise<string | undefined> => {
  if (!input.isTTY || !output.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input, output });
  // Ctrl-C comes as a key here, not as a signal; the end of the input (Ctrl-D) is an answer as well: none.
  const ended = new Promise<"interrupted" | "closed">((done) => {
    reader.once("SIGINT", () => done("interrupted"));
    signal.addEventListener("abort", () => done("interrupted"), { once: true });
    reader.once("close", () => done("closed"));
  });
  try {
    const typed = reader.question(question).then((line) => ({ line }));
    const answer = await Promise.race([typed, ended]);
    if (answer === "interrupted") throw new HeadgateError("INTERRUPTED", "interrupted");
    return answer === "closed" ? "" : answer.line.trim();
  } finally {
    reader.close();
  }
};

/** A yes or no from the person at the terminal. Anything but a clear yes is a no. Throws INTERRUPTED. */
export const confirmAtTerminal = async (
  question: string,
  streams: TerminalStreams,
): Promise<boolean | undefined> => {
  const answer = await askAtTerminal(`${question} [y/N] `, streams);
  return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
};
