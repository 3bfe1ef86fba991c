/** A program that answers one JSON line with one JSON line, in order, for as long as the evaluation runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class LineProcess {
  readonly #child: ChildProcess;
  readonly #waiting: ((answer: unknown) => void)[] = [];
  #isDead = false;

  constructor(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"], env });
    const end = (): void => {
      this.#isDead = true;
      for (const settle of this.#waiting.splice(0)) settle(undefined);
    };
    this.#child.on("error", end);
    this.#child.on("exit", end);
    this.#child.stdin!.on("error", end);
    createInterface({ input: this.#child.stdout! }).on("line", (line) =>
      this.#waiting.shift()?.(JSON.parse(line)),
    );
  }

  /** undefined when the program is gone. */
  ask(question: unknown): Promise<unknown> {
    if (this.#isDead) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin!.write(`${JSON.stringify(question)}\n`);
    });
  }

  close(): void {
    this.#child.kill();
  }
}
