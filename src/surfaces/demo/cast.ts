/** The agents' processes, as the director sees them. */
import { systemClock } from "../../base/clock.ts";
import { type ChildProgram, startProgram } from "../../base/child-program.ts";
import type { Done, Step } from "./types.ts";

/** A hook without an answer, or a text that is gone, is not the gate's word. */
export const isRefusal = ({ ok, code = "" }: Done): boolean =>
  !ok && code !== "TEXT_GONE" && !code.startsWith("HOOK_");

export interface Cast {
  readonly agents: readonly Agent[];
  /** Ends all of them; nobody is left, whatever state they are in. */
  dismiss(): Promise<void>;
}

export class Agent {
  readonly name: string;
  readonly number: number;
  readonly session: string;
  readonly #start: (onLine: (line: string) => void, session: string) => ChildProgram;
  #program: ChildProgram;
  #waiting: ((done: Done) => void)[] = [];
  /** Whoever plays a scene with it has it for itself. */
  #turn: Promise<unknown> = Promise.resolve();
  landed: { readonly path: string; readonly symbol: string }[] = [];
  refusals: Done[] = [];

  constructor(
    number: number,
    start: (onLine: (line: string) => void, session: string) => ChildProgram,
  ) {
    this.number = number;
    this.name = `agent-${number}`;
    this.session = `demo-${number}`;
    this.#start = start;
    this.#program = this.#begin();
  }

  #begin(): ChildProgram {
    return this.#start((line) => this.#waiting.shift()?.(JSON.parse(line) as Done), this.session);
  }

  get pid(): number {
    return this.#program.pid;
  }

  /** One thing after the other; a dead or paused agent does not answer until `forget` or `resume`. */
  async do(step: Step): Promise<Done> {
    const done = await new Promise<Done>((resolve) => {
      this.#waiting.push(resolve);
      this.#program.say(JSON.stringify(step));
    });
    if (step.do === "replace" && isRefusal(done)) this.refusals.push(done);
    return done;
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  pause(): void {
    this.#program.kill("SIGSTOP");
  }

  resume(): void {
    this.#program.kill("SIGCONT");
  }

  async crash(): Promise<void> {
    this.#program.kill("SIGKILL");
    await this.#program.ended;
  }

  /** A new process under the same name, after a crash. */
  restart(): void {
    this.#waiting = [];
    this.#program = this.#begin();
  }

  async end(): Promise<void> {
    this.#program.kill("SIGCONT");
    this.#program.kill("SIGTERM");
    const late = systemClock.sleep(2000).then(() => this.#program.kill("SIGKILL"));
    await Promise.race([this.#program.ended, late]);
  }
}

export const hireCast = (options: {
  readonly count: number;
  readonly program: readonly [string, ...string[]];
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}): Cast => {
  const { count, program, root, env } = options;
  const agents = Array.from(
    { length: count },
    (_, index) =>
      new Agent(index + 1, (onLine, session) =>
        startProgram([...program, "demo", "agent", session, "--repo", root], {
          ...{ cwd: root, env, onLine },
        }),
      ),
  );
  return { agents, dismiss: async () => void (await Promise.all(agents.map((one) => one.end()))) };
};
