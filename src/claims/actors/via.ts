/**
 * By which process something was done, beside the name it was done under: part of every event. The name is said, this
 * was seen; where the two contradict each other, `saidBy` names the session that really spoke.
 */
import type { RunningProcess } from "../../base/process-tree.ts";
import type { Via } from "../../store/index.ts";
import type { Actor } from "../types.ts";
import type { ActingProcess } from "./acting-process.ts";

/** Undefined where the system does not tell. */
export const describeVia = (
  { own, above, session, launcher }: ActingProcess,
  actor: Pick<Actor, "id" | "session">,
  { isGiven = false } = {},
): Via | undefined => {
  if (!own) return undefined;
  const seen = session && `${session.harness}:${session.session}`;
  const isOther =
    session !== undefined &&
    !launcher &&
    !isGiven &&
    seen !== actor.session &&
    // The client's process is known, its session is not.
    !(isProcessName.test(session.session) && actor.session.startsWith(`${session.harness}:`));
  return {
    ...{ uid: own.userId, pid: own.pid, start: own.startTime },
    above: above.slice(0, aboveMax).map((one) => `${programName(one)}:${one.pid}`),
    ...(seen !== undefined && { session: seen }),
    ...(isOther && seen !== undefined && { saidBy: seen }),
  };
};

/** As it was called: the kernel's own name is that of a thread, which Node changes. */
const programName = ({ name, argv: [program = ""] }: RunningProcess): string =>
  (program.split("/").at(-1) || name).slice(0, 40).replaceAll("\0", "").toWellFormed();

const isProcessName = /^p\d+-\d+$/;

/** Shells nest a few levels; an event has only so much room. */
const aboveMax = 12;
