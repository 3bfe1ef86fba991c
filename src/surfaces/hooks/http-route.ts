/**
 * `POST /hooks/:harness`. The shim says who asks (X-Headgate-Pid) and gets text that cannot be mistaken when
 * it is cut or comes from a stranger: the exit code (and how to say that notices were handed on), what to print, the
 * server's mark. Without that header it is a client's own http
 * hook, which reads JSON. The guard has judged the request before it comes here.
 */
import { limits } from "../../base/limits.ts";
import type { Actor } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import { answerCall } from "./answer-call.ts";
import { concernsUs } from "./concerns.ts";
import type { HookDependencies } from "./dependencies.ts";
import { dialectOf, isHookHarness, silence } from "./harness/index.ts";
import { actorOfCall, seenActor } from "./hook-actor.ts";
import { failed } from "./in-process.ts";
import { readPayload } from "./read-payload.ts";
import type { Receipts } from "./receipts.ts";
import type { Dialect, HookAnswer } from "./types.ts";

/** `actorOf` is made here, from the payload and the process that asks. */
export type HookRouteDependencies = Omit<HookDependencies, "actorOf" | "bypass"> & {
  /** Ends every answer to the shim: only the server and the user's own files have it. */
  readonly mark: string;
  /** Where runs say which agents are theirs. */
  readonly stateFolder?: string;
  readonly receipts?: Receipts;
};

/** Undefined: there is no such hook, and the address is unknown. */
export const answerHookRequest = async (
  harness: string,
  request: Request,
  dependencies: HookRouteDependencies,
  onSent: (done: () => void) => void = () => {},
): Promise<Response | undefined> => {
  if (!isHookHarness(harness)) return undefined;
  const pid = pidOf(request.headers.get("x-headgate-pid"));
  const { mark, receipts } = dependencies;
  await receipts?.look();
  const answer = await answerOf(harness, request, dependencies, pid);
  const { settle } = answer;
  const canSay = request.headers.has("x-headgate-receipt");
  const receipt = settle && canSay ? receipts?.expect(settle) : undefined;
  if (settle) onSent(() => void (receipt ? receipts?.follow(receipt) : settle(true)));
  return request.headers.has("x-headgate-pid")
    ? shimResponse(answer, { mark, receipt })
    : clientResponse(answer);
};

const answerOf = async (
  harness: string,
  request: Request,
  dependencies: HookRouteDependencies,
  pid: number | undefined,
): Promise<HookAnswer> => {
  let dialect: Dialect | undefined;
  try {
    const payload = readPayload(await bodyOf(request));
    // Nothing of the server's own surroundings tells about the client.
    const context = { variables: {}, cwd: dependencies.environment.cwd };
    dialect = dialectOf(harness, payload, context);
    const call = dialect.read(payload, context);
    if (!concernsUs(call)) return silence;
    // Asked several times on the way, and each time it would look at the client's process again.
    let actor: Actor | undefined;
    const { stateFolder } = dependencies;
    const decision = await answerCall(call, {
      ...dependencies,
      actorOf: (one) => (actor ??= seenActor(actorOfCall(one, pid ?? null, stateFolder), pid)),
    });
    return dialect.answer(decision, call);
  } catch (error) {
    return failed(error, dialect);
  }
};

const bodyOf = async (request: Request): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.hookPayloadBytesMax) {
      throw new HeadgateError("INPUT_TOO_LARGE", "The hook's input is too large.");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const pidOf = (header: string | null): number | undefined =>
  header !== null && /^[1-9]\d{0,9}$/.test(header) ? Number(header) : undefined;

/** Exactly what the shim (doors/hook.sh) takes apart. */
const shimResponse = (
  { exit, stdout, stderr }: HookAnswer,
  { mark, receipt }: { readonly mark: string; readonly receipt: string | undefined },
): Response => {
  const body = (exit === 0 ? stdout : stderr).replace(/(?<!\n)\n+$/, "");
  const first = receipt === undefined ? `${exit}` : `${exit} ${receipt}`;
  const text = body === "" ? `${first}\n${mark}\n` : `${first}\n${body}\n${mark}\n`;
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
};

/** Claude Code's http hook: nothing, or the JSON that a command would have printed. */
const clientResponse = ({ exit, stdout, stderr }: HookAnswer): Response => {
  if (exit === 0 && stdout === "") return new Response(null, { status: 204 });
  const json =
    exit === 0
      ? stdout
      : JSON.stringify({
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: stderr.trimEnd(),
          },
        });
  return new Response(json, { headers: { "content-type": "application/json" } });
};
