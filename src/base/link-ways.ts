/**
 * Every name that the system goes through on its way to a file: as it is written, and once more after each
 * link. `/proc/self/cwd` leads elsewhere in every process, so where a path ends is not enough to judge it.
 */
import { dirname, isAbsolute, join, normalize, parse, sep } from "node:path";
import { type Files, systemFiles } from "./files.ts";
import { limits } from "./limits.ts";

/** `path` is absolute; the last one is where it ends. Names that cannot be looked at are taken as written. */
export const waysTo = (path: string, files: Files = systemFiles): readonly string[] => {
  const ways = [normalize(path)];
  let { root: place } = parse(path);
  let open = namesIn(path.slice(place.length));
  for (let hops = 0; open.length > 0;) {
    const [name = "", ...rest] = open;
    open = rest;
    if (name === "..") {
      place = dirname(place);
      continue;
    }
    const next = join(place, name);
    const target = linkAt(next, files);
    if (target === undefined) {
      place = next;
      continue;
    }
    hops += 1;
    if (hops > limits.symlinkHopsMax) break;
    if (isAbsolute(target)) place = parse(target).root;
    open = [...namesIn(isAbsolute(target) ? target.slice(place.length) : target), ...open];
    ways.push(join(place, ...open));
  }
  return [...new Set([...ways, join(place, ...open)])];
};

const namesIn = (path: string): string[] =>
  path.split(sep).filter((name) => name !== "" && name !== ".");

const linkAt = (path: string, files: Files): string | undefined => {
  try {
    return files.stat(path)?.isSymbolicLink() ? files.readLink(path) : undefined;
  } catch {
    // No right to look: the system will not follow it for us either.
    return undefined;
  }
};
