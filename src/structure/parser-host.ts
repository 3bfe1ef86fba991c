/**
 * The parsing process as its parent sees it: one question at a time, with a time limit; a process that
 * crashes, hangs or grows too large is ended and replaced, and the question it died of is answered
 * honestly ("not analysed"). A process that had answered before may have died of something else (the
 * system was out of memory, somebody ended it): then a new one is asked the same, once.
 */
import type { ChildProcess, fork as Fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { limits } from "../base/limits.ts";
import { type Answers, type Question, readAnswer, type Reply } from "./worker/protocol.ts";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

export interface HostLimits {
  /** For one question, once the process has started. */
  readonly timeMs: number;
  /** A process that is larger after an answer is replaced. */
  readonly memoryBytes: number;
}

/** From the sources, the library, or the bundled command line. */
const workerFile = (own: string): string => {
  if (own.endsWith(".cjs")) return "worker/main.cjs";
  return own.endsWith(".ts") ? "worker/main.ts" : "worker/main.js";
};

/** Starting takes its time on a busy machine, whatever the file is. */
const startMsMax = 30_000;

interface Job {
  readonly question: Question;
  isSecondTry: boolean;
  readonly settle: (parsed: Parsed<Answers[Question["do"]]>) => void;
}

export class ParserHost {
  readonly #queue: Job[] = [];
  #child: ChildProcess | undefined;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #limits: HostLimits;
  #isReady = false;
  /** Whether the process has given an answer. */
  #hasAnswered = false;

  constructor(
    hostLimits: HostLimits = {
      timeMs: limits.parseTimeMs,
      memoryBytes: limits.parserMemoryBytes,
    },
  ) {
    this.#limits = hostLimits;
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  ask<Q extends Question>(question: Q): Promise<Parsed<Answers[Q["do"]]>> {
    if (this.#isClosed) return Promise.resolve({ ok: false, why: "it was closed" });
    return new Promise((resolve) => {
      this.#queue.push({ question, isSecondTry: false, settle: resolve as Job["settle"] });
      this.#next();
    });
  }

  /** Ends the process; what was still asked is answered with a reason. */
  close(): void {
    this.#isClosed = true;
    this.#end("it was closed");
    for (const job of this.#queue.splice(0)) job.settle({ ok: false, why: "it was closed" });
  }

  #next(): void {
    if (this.#running || this.#isClosed) return;
    const job = this.#queue.shift();
    if (!job) {
      // Nobody waits: the program may end.
      this.#child?.unref();
      this.#child?.channel?.unref();
      return;
    }
    this.#running = job;
    try {
      this.#child ??= this.#start();
    } catch (error) {
      // The system has no room for another process.
      const what = error instanceof Error ? error.message : String(error);
      return this.#settle({ ok: false, why: `the parser could not be started: ${what}` });
    }
    const child = this.#child;
    child.ref();
    child.channel?.ref();
    this.#startTimer(this.#isReady ? this.#limits.timeMs : startMsMax);
    // A process that is gone says so by its own event as well; whichever comes first.
    child.send(job.question, (error) => {
      if (error && child === this.#child) this.#gone("the parser could not be asked");
    });
  }

  #startTimer(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(`it took longer than ${ms / 1000} s`), ms);
  }

  #start(): ChildProcess {
    const { fork } = createRequire(import.meta.url)("node:child_process") as {
      readonly fork: typeof Fork;
    };
    const child = fork(join(import.meta.dirname, workerFile(import.meta.filename)), [], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [
        `--max-old-space-size=${limits.parserHeapMb}`,
        // Generated files nest deeper than the usual megabyte allows; half of what systems give.
        "--stack-size=3900",
        "--no-warnings",
      ],
      env: {},
    });
    this.#isReady = false;
    this.#hasAnswered = false;
    child.on("message", (reply: Reply) => {
      if (child !== this.#child) return;
      if (reply.ready) {
        this.#isReady = true;
        if (this.#running) this.#startTimer(this.#limits.timeMs);
        return;
      }
      this.#hasAnswered = true;
      const isSpent = !reply.ok && reply.isSpent;
      if (isSpent || reply.memoryBytes > this.#limits.memoryBytes) this.#discard();
      if (reply.ok) this.#settle({ ok: true, value: readAnswer(reply.answer) });
      else this.#settle({ ok: false, why: reply.why });
    });
    child.on("error", (error) => {
      if (child === this.#child) this.#gone(`the parser could not be started: ${error.message}`);
    });
    child.on("exit", (code, signal) => {
      if (child === this.#child) this.#gone(`the parser ended by itself (${signal ?? code})`);
    });
    return child;
  }

  #gone(why: string): void {
    const job = this.#running;
    if (!job || job.isSecondTry || !this.#hasAnswered) return this.#end(why);
    job.isSecondTry = true;
    clearTimeout(this.#timer);
    this.#running = undefined;
    this.#discard();
    this.#queue.unshift(job);
    this.#next();
  }

  #discard(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
  }

  #end(why: string): void {
    this.#discard();
    this.#settle({ ok: false, why });
  }

  #settle(parsed: Parsed<Answers[Question["do"]]>): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    job?.settle(parsed);
    this.#next();
  }
}
