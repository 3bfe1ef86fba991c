/**
 * The parsing process as its parent sees it: one question at a time, with a time limit; a process that
 * crashes, hangs or grows too large is ended and replaced, and the question it died of is answered
 * honestly ("not analysed"). A process that had answered before may have died of something else (the
 * system was out of memory, a person ended it): then a new one is asked the same, once.
 *
 * The limit counts processor time, so that the same file gets the same answer on a busy machine. A process
 * that does not get enough of it is waited for, up to a limit of real time; then the question was not
 * answered (`ranOut`), which says nothing about the file.
 */
import type { ChildProcess, fork as Fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { limits } from "../base/limits.ts";
import { cpuTimeMs } from "../base/process-cpu.ts";
import { type Answers, type Question, readAnswer, type Reply } from "./worker/protocol.ts";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly why: string;
      /** For want of time or room on this machine: asked again later, it may be answered. */
      readonly ranOut?: true;
      /** It used up its processor time. */
      readonly isSlow?: true;
    };

export interface HostLimits {
  /** Processor time for one question, once the process has started; real time where that is not known. */
  readonly timeMs: number;
  /** Real time for a question, and for the start of the process. */
  readonly wallMs: number;
  /** A process that is larger after an answer is replaced. */
  readonly memoryBytes: number;
}

/** From the sources, the bundled command line, or the library, which has the bundle beside it. */
const workerFile = (own: string): string => {
  if (own.endsWith(".ts")) return "worker/main.ts";
  return own.endsWith(".cjs") ? "worker/main.cjs" : "../cli/worker/main.cjs";
};

type FailedParse = Extract<Parsed<never>, { ok: false }>;

const failed = (why: string): FailedParse => ({ ok: false, why });
const ranOut = (what: string, { wallMs }: HostLimits): FailedParse => ({
  ok: false,
  why: `the parser ${what} within ${wallMs / 1000} s: the machine is busy`,
  ranOut: true,
});
const noRoom = (what: string): FailedParse => ({
  ok: false,
  why: `the parser could not be started: ${what}`,
  ranOut: true,
});
const closed: FailedParse = { ok: false, why: "it was closed", ranOut: true };

/** Signals that a process gets for what it did itself. */
const crashes = new Set(["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGTRAP", "SIGFPE"]);

/** The kernel counts in steps of ten; to look more often would cost more than it tells. */
const lookMsMin = 50;

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
      wallMs: limits.parseWallMs,
      memoryBytes: limits.parserMemoryBytes,
    },
  ) {
    this.#limits = hostLimits;
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** It has started, and answers a question now. */
  get isAtWork(): boolean {
    return this.#isReady && this.#running !== undefined;
  }

  ask<Q extends Question>(question: Q): Promise<Parsed<Answers[Q["do"]]>> {
    if (this.#isClosed) return Promise.resolve(closed);
    return new Promise((resolve) => {
      this.#queue.push({ question, isSecondTry: false, settle: resolve as Job["settle"] });
      this.#next();
    });
  }

  /** Ends the process; what was still asked is answered with a reason. */
  close(): void {
    this.#isClosed = true;
    this.#end(closed);
    for (const job of this.#queue.splice(0)) job.settle(closed);
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
      return this.#settle(noRoom(what));
    }
    const child = this.#child;
    child.ref();
    child.channel?.ref();
    if (this.#isReady) this.#watch(child);
    else
      this.#startTimer(this.#limits.wallMs, () => this.#end(ranOut("did not start", this.#limits)));
    // A process that is gone says so by its own event as well; whichever comes first.
    child.send(job.question, (error) => {
      if (error && child === this.#child) this.#gone("the parser could not be asked");
    });
  }

  #startTimer(ms: number, onTime: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTime, ms);
  }

  /** From now on the question takes the process's time. */
  #watch({ pid }: ChildProcess): void {
    const { timeMs, wallMs } = this.#limits;
    const usedBefore = pid === undefined ? undefined : cpuTimeMs(pid);
    let leftMs = wallMs;
    const look = (waitedMs: number): void => {
      leftMs -= waitedMs;
      const used = pid === undefined ? undefined : cpuTimeMs(pid);
      const spentMs = used === undefined || usedBefore === undefined ? timeMs : used - usedBefore;
      if (spentMs >= timeMs) {
        const why = `it took longer than ${timeMs / 1000} s`;
        return this.#end({ ...failed(why), isSlow: true });
      }
      if (leftMs <= 0) return this.#end(ranOut("did not answer", this.#limits));
      wait(Math.min(leftMs, Math.max(timeMs - spentMs, lookMsMin)));
    };
    const wait = (ms: number): void => this.#startTimer(ms, () => look(ms));
    wait(timeMs);
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
        if (this.#running) this.#watch(child);
        return;
      }
      // Its earlier files may be to blame: only a new process proves that it is this one.
      if (!reply.ok && reply.isSpent && this.#hasAnswered) return this.#gone(reply.why);
      this.#hasAnswered = true;
      const isSpent = !reply.ok && reply.isSpent;
      if (isSpent || reply.memoryBytes > this.#limits.memoryBytes) this.#discard();
      if (reply.ok) this.#settle({ ok: true, value: readAnswer(reply.answer) });
      else this.#settle({ ok: false, why: reply.why, ...(reply.isOurs && { ranOut: true }) });
    });
    child.on("error", (error) => {
      if (child !== this.#child) return;
      if (this.#isReady) this.#gone(`the parser could not be asked: ${error.message}`);
      else this.#end(noRoom(error.message));
    });
    child.on("exit", (code, signal) => {
      if (child !== this.#child) return;
      const why = `the parser ended by itself (${signal ?? code})`;
      // Before its first question it cannot have died of a file.
      if (!this.#isReady) return this.#end(noRoom(why));
      this.#gone(why, signal !== null && !crashes.has(signal));
    });
    return child;
  }

  /** `isKilled`: by the system, which had no memory left, or by a person; that says nothing about the file. */
  #gone(why: string, isKilled = false): void {
    const job = this.#running;
    if (!job || job.isSecondTry || !this.#hasAnswered) {
      return this.#end({ ...failed(why), ...(isKilled && { ranOut: true }) });
    }
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

  #end(failure: FailedParse): void {
    this.#discard();
    this.#settle(failure);
  }

  #settle(parsed: Parsed<Answers[Question["do"]]>): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    job?.settle(parsed);
    this.#next();
  }
}
