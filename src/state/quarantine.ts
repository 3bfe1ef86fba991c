import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { isoTime } from "../base/clock.ts";
import { errnoOf, type Files } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import type { HeldTarget } from "./held-target.ts";
import { showPath, step } from "./state-failure.ts";

/**
 * Gives a corrupt file the second name `<name>.corrupt-<UTC time>`; returns it. The first name stays, so
 * that the caller can replace the file without a moment in which it seems not to exist. Repeating it
 * after a crash finds the name of the first time.
 */
export const keepCorrupt = (
  { files, clock }: { readonly files: Files; readonly clock: Clock },
  held: HeldTarget,
): { readonly name: string; readonly isMoved: boolean } => {
  const earlier = earlierName(files, held);
  if (earlier !== undefined) return { name: earlier, isMoved: false };
  const name = freeName(files, held, clock.wallMs());
  const to = held.directory.at(name);
  try {
    files.link(held.at, to);
    return { name, isMoved: false };
  } catch (error) {
    if (!noLinkCodes.has(errnoOf(error) ?? "")) {
      return step("set the file aside", held.path, () => {
        throw error;
      });
    }
    // File systems without links: the file has no name for the moment until it is replaced.
    step("set the file aside", held.path, () => files.rename(held.at, to));
    return { name, isMoved: true };
  }
};

/** Sets a corrupt file aside for good: nothing takes its place. */
export const quarantine = (
  ports: { readonly files: Files; readonly clock: Clock },
  held: HeldTarget,
): string => {
  const { files } = ports;
  const earlier = earlierName(files, held);
  const name = earlier ?? freeName(files, held, ports.clock.wallMs());
  step("set the file aside", held.path, () => {
    // Renaming one name of a file over another name of the same file does nothing, by POSIX.
    if (earlier === undefined) files.rename(held.at, held.directory.at(name));
    else files.unlink(held.at);
  });
  try {
    held.directory.sync();
  } catch (cause) {
    const what = `${showPath(held.path)}: set aside as ${name}, but the folder could not be synced`;
    throw new HeadgateError("OUTCOME_UNKNOWN", what, { data: { path: held.path }, cause });
  }
  return name;
};

/** All recoverers hold the target's lock here, so that a free name stays free until it is used. */
const freeName = (files: Files, held: HeldTarget, nowWallMs: number): string => {
  const time = isoTime(nowWallMs).replace(/[-:.]/g, "");
  for (let count = 1; count <= attemptsMax; count += 1) {
    const ending = `.corrupt-${time}${count === 1 ? "" : `-${count}`}`;
    let { name } = held;
    while (Buffer.byteLength(name + ending) > limits.nameBytesMax) name = name.slice(0, -1);
    const candidate = name + ending;
    const stats = step("set the file aside", held.path, () =>
      files.stat(held.directory.at(candidate)),
    );
    if (stats === undefined) return candidate;
  }
  throw new HeadgateError("STATE_IO", `${showPath(held.path)}: no free name to set it aside`);
};

const earlierName = (files: Files, held: HeldTarget): string | undefined => {
  if (held.stats === undefined || held.stats.nlink < 2) return undefined;
  const { ino, dev } = held.stats;
  const names = step("list the folder", held.directory.path, () =>
    files.list(held.directory.at(".")),
  )
    .map((entry) => entry.name)
    .filter((name) => name.includes(".corrupt-"));
  return names.find((name) => {
    const stats = step("look at the file", held.path, () => files.stat(held.directory.at(name)));
    return stats?.ino === ino && stats.dev === dev;
  });
};

export const corruptPath = (held: HeldTarget, name: string): string =>
  join(held.directory.path, name);

const attemptsMax = 1000;
const noLinkCodes = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
