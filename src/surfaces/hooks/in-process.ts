/**
 * One call of a hook in a process of its own: `headgate hook <harness>`. It never throws and never lets a
 * tool pass because something failed. Nothing is loaded or opened for calls that are nothing to us.
 */
import { systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { errorCodes, HeadgateError } from "../../errors.ts";
import { concernsUs } from "./concerns.ts";
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { dialectOf, refused, silence } from "./harness/index.ts";
import { readPayload } from "./read-payload.ts";
import { refusalOf } from "./refusal.ts";
import type { Dialect, HookAnswer, HookCall } from "./types.ts";

export interface InProcessOptions {
  readonly harness: string;
  readonly environment: Environment;
  /** Where the hook is configured, if whoever runs it knows; else the payload says. */
  readonly repo?: string;
  /** The whole payload; rejects when it is too long. */
  readInput(bytesMax: number): Promise<Uint8Array>;
  /** Gives the input up, so that the process can end. */
  closeInput(): void;
  readonly signal: AbortSignal;
  readonly startServer?: HookDependencies["startServer"];
  /** Starts another server where one was killed; must not wait for it. */
  readonly reviveServer?: HookDependencies["startServer"];
}

export const answerInProcess = async (options: InProcessOptions): Promise<HookAnswer> => {
  const said = options.environment.variables["HEADGATE_BYPASS"] || undefined;
  let bypass: string | undefined;
  try {
    if (said !== undefined && (await isPersonsWord(options))) bypass = said;
    return await orStopped(options.signal, answer(options, bypass));
  } catch (error) {
    return bypass === undefined ? failed(error) : silence;
  }
};

/** A variable that an agent or its client's settings have set is not. */
const isPersonsWord = async ({ environment, repo }: InProcessOptions): Promise<boolean> => {
  const [{ startedByPerson }, { findRepository }] = await Promise.all([
    import("../../claims/index.ts"),
    import("../../git/index.ts"),
  ]);
  const { localDir } = await findRepository(repo ?? environment.cwd, { environment });
  return startedByPerson("HEADGATE_BYPASS", environment, { stateFolder: localDir });
};

/** Before the call is known: it may be a write, so it is refused, in the client's form where that is known. */
export const failed = (error: unknown, dialect?: Dialect): HookAnswer => {
  const known = HeadgateError.isInstance(error) ? error : undefined;
  const isOurs = known?.code === "HOOK_INPUT_INVALID" || known?.code === "HOOK_TIMEOUT";
  const isTooLarge = known?.code === "INPUT_TOO_LARGE";
  const code = isOurs ? known.code : isTooLarge ? "HOOK_INPUT_INVALID" : "HOOK_FAILED";
  const message = error instanceof Error ? error.message : String(error);
  const { remedy } = errorCodes[code];
  const refusal = refusalOf("tool", { code, message, remedy });
  if (!dialect) return refused(refusal.text);
  const { harness } = dialect;
  return dialect.answer(refusal, { harness, event: "before-tool", session: "", cwd: "" });
};

const answer = async (
  options: InProcessOptions,
  bypass: string | undefined,
): Promise<HookAnswer> => {
  const { environment, harness } = options;
  const payload = readPayload(await inputInTime(options));
  const context = { variables: environment.variables, cwd: environment.cwd };
  const dialect = dialectOf(harness, payload, context);
  let call: HookCall;
  try {
    call = dialect.read(payload, context);
  } catch (error) {
    return failed(error, dialect);
  }
  if (!concernsUs(call)) return silence;
  return answerArmed(options, { dialect, call, bypass });
};

const answerArmed = async (
  { environment, repo, startServer, reviveServer }: InProcessOptions,
  {
    dialect,
    call,
    bypass,
  }: {
    readonly dialect: Dialect;
    readonly call: HookCall;
    readonly bypass: string | undefined;
  },
): Promise<HookAnswer> => {
  const armed = await armedFolder([repo, call.cwd, environment.cwd], environment);
  if (armed === undefined) return silence;
  if (armed.isLeft) return dialect.answer(notMoved, call);
  const [{ openHeadgate }, { answerCall }, { actorOfCall }, { hookParts }] = await Promise.all([
    import("../../compose.ts"),
    import("./answer-call.ts"),
    import("./hook-actor.ts"),
    import("./parts.ts"),
  ]);
  const opened: (HookHeadgate & { close(): Promise<void> })[] = [];
  const open = async (folder: string): Promise<HookHeadgate> => {
    const headgate = await openHeadgate({
      repo: folder,
      environment,
      actor: actorOfCall(call, undefined, armed.localDir),
    });
    opened.push(headgate);
    if (headgate.leftWork.isThere()) await headgate.leftWork.repair();
    return headgate;
  };
  const decision = await answerCall(call, {
    ...hookParts,
    ...(startServer && { startServer }),
    open: () => open(armed.folder),
    openWorktree: open,
    actorOf: (one) => actorOfCall(one, undefined, armed.localDir),
    environment,
    clock: systemClock,
    ...(bypass !== undefined && { bypass }),
  });
  // All of its time is gone: neither a store that does not answer nor the server keeps the answer from going out.
  const isRefusedLate = decision.kind === "refuse" && decision.code === "HOOK_TIMEOUT";
  if (isRefusedLate || (decision.kind === "tell" && call.event === "before-tool")) {
    void closeAll(opened);
    return dialect.answer(decision, call);
  }
  const answer = dialect.answer(decision, call);
  const { settle, ...said } = answer;
  if (!settle) await closeAll(opened);
  const [first] = opened;
  if (first && call.tool && bypass === undefined) {
    // The call is decided; a server that cannot be started is for `headgate doctor` to tell.
    await reviveServer?.(first.repository).catch(() => {});
  }
  if (!settle) return said;
  return { ...said, settle: (isWritten) => settle(isWritten).finally(() => closeAll(opened)) };
};

const closeAll = async (opened: readonly { close(): Promise<void> }[]): Promise<void> => {
  await Promise.allSettled(opened.map((one) => one.close()));
};

/** An earlier release set it up: work goes on, and the agent hears of it. */
const notMoved = {
  kind: "tell",
  text:
    "Headgate does not guard this repository until a person runs `headgate init` once: its state is in " +
    ".headgate/local, where a branch can change it, and belongs into git's own folder.",
} as const;

/** The first of these folders that belongs to a repository where Headgate was set up. */
const armedFolder = async (
  folders: readonly (string | undefined)[],
  environment: Environment,
): Promise<
  { readonly folder: string; readonly isLeft: boolean; readonly localDir: string } | undefined
> => {
  const { findRepository, isStateLeft } = await import("../../git/index.ts");
  for (const folder of folders) {
    if (folder === undefined) continue;
    try {
      const repository = await findRepository(folder, { environment });
      const isLeft = isStateLeft(repository);
      const { localDir } = repository;
      if (isLeft || systemFiles.stat(localDir)) return { folder, isLeft, localDir };
    } catch (error) {
      // A folder that is gone; the next one may be there.
      const isAbsent = HeadgateError.isInstance(error) && error.code === "REPOSITORY_NOT_FOUND";
      if (!isAbsent) throw error;
    }
  }
  return undefined;
};

const inputInTime = async ({ readInput, closeInput }: InProcessOptions): Promise<Uint8Array> => {
  const done = new AbortController();
  const late = systemClock.sleep(limits.hookInputMs, done.signal).then(() => undefined);
  const input = readInput(limits.hookPayloadBytesMax);
  // Once the time is over, what becomes of it is of no interest.
  input.catch(() => {});
  try {
    const bytes = await Promise.race([input, late]);
    if (bytes !== undefined) return bytes;
    throw new HeadgateError("HOOK_TIMEOUT", `No whole input within ${limits.hookInputMs} ms.`);
  } catch (error) {
    closeInput();
    throw error;
  } finally {
    done.abort();
  }
};

/** Somebody ends the process: the tool must not run as if it had been looked at. */
const orStopped = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new HeadgateError("HOOK_FAILED", "The hook was stopped."));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
