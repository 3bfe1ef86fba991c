/**
 * One change of the overrides at a time in a repository, all worktrees together. A kernel lock: it dies
 * with its process, so nobody ever waits for the dead. Waiting is bounded and says who is in the way.
 */
import { join } from "node:path";
import { isoTime } from "../../base/clock.ts";
import { errnoOf, openFlags } from "../../base/files.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { releaseKernelLock, tryKernelLock } from "../../state/index.ts";
import { makeLocalDir } from "../../store/index.ts";
import type { RoutingContext } from "../ports.ts";

type LockContext = Pick<
  RoutingContext,
  "repository" | "actor" | "clock" | "random" | "files" | "platform"
>;

/** Throws ROUTING_BUSY after `waitMs`; with 0 the answer is undefined instead. */
export const withRoutingLock = async <T>(
  context: LockContext,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const { files, clock, random } = context;
  const fd = open(context);
  try {
    const deadlineMonoMs = clock.monoMs() + waitMs;
    for (let tries = 0; !tryKernelLock(fd); tries += 1) {
      if (waitMs === 0) return undefined;
      if (clock.monoMs() >= deadlineMonoMs) throw busy(context, fd, waitMs);
      const longest = Math.min(80, 4 * 2 ** tries);
      await clock.sleep(longest * (0.3 + 0.7 * random.fraction()));
    }
    sayWho(context, fd);
    try {
      return await work();
    } finally {
      releaseKernelLock(fd);
    }
  } finally {
    files.close(fd);
  }
};

const open = ({ files, repository, platform }: LockContext): number => {
  const { localDir } = repository;
  try {
    makeLocalDir(localDir, files, platform);
    return files.open(join(localDir, "routing.lock"), openFlags.readWriteCreate, 0o600);
  } catch (error) {
    if (HeadgateError.isInstance(error) || errnoOf(error) === undefined) throw error;
    throw new HeadgateError(
      "ROUTING_GIT",
      `${showText(localDir)} cannot be written: ${showText((error as Error).message)}`,
      { cause: error },
    );
  }
};

/** A fixed length, so that a shorter name leaves nothing of a longer one behind. */
const whoBytes = 512;

const sayWho = ({ actor, clock, files }: LockContext, fd: number): void => {
  const who = {
    actor: actor.id.slice(0, 100),
    pid: ownIdentity().pid,
    since: isoTime(clock.wallMs()),
  };
  const bytes = Buffer.alloc(whoBytes, " ");
  bytes.write(JSON.stringify(who));
  files.write(fd, bytes, 0, 0);
};

const busy = ({ files }: LockContext, fd: number, waitMs: number): HeadgateError => {
  const bytes = Buffer.alloc(whoBytes);
  files.read(fd, bytes, 0, 0);
  let holder = "another process";
  let data = {};
  try {
    const who = JSON.parse(bytes.toString("utf8").replaceAll("\0", " ")) as {
      readonly actor: string;
      readonly pid: number;
      readonly since: string;
    };
    holder = `${showText(who.actor)} (process ${Number(who.pid)}, since ${showText(who.since, 40)})`;
    data = { holder: showText(who.actor), pid: Number(who.pid), since: showText(who.since, 40) };
  } catch {
    // The holder is just writing its name.
  }
  return new HeadgateError(
    "ROUTING_BUSY",
    `the overrides are being changed by ${holder}; waited ${waitMs} ms`,
    { data },
  );
};
