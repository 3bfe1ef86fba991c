/**
 * The server's socket for its owner (T-02): hooks, git hooks and the command line talk to it there, and send
 * nothing to a TCP port. It is in a folder that only the owner can enter, so both sides of a connection are
 * the owner's. `socket-path` in the state folder names it.
 */
import type { Server } from "node:http";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { sha256 } from "../../base/sha256.ts";
import { HeadgateError } from "../../errors.ts";
import { readShort, socketNotePath } from "./server-files.ts";

/** Decides where the socket may be. */
type Surroundings = Pick<Environment, "variables" | "temporary" | "platform" | "user">;

interface SocketPlace {
  readonly path: string;
  /** True: a folder for sockets alone, made when one is needed. */
  readonly isOwnFolder: boolean;
}

/** Listens in the first place that works, and gives its path. Only the holder of the server lock calls it. */
export const listenForOwner = async (
  server: Server,
  { localDir, environment }: { readonly localDir: string; readonly environment: Surroundings },
  files: Files = systemFiles,
): Promise<string> => {
  const places = socketPlaces(localDir, environment);
  const reasons: string[] = [];
  for (const place of places) {
    const refusal = prepareFolder(place, environment, files);
    if (refusal === undefined) {
      try {
        await listenAt(server, place.path, files, environment.platform);
        return place.path;
      } catch (error) {
        // A file system without sockets, a full one, no rights: the next place may do.
        reasons.push(`${place.path}: ${errnoOf(error) ?? String(error)}`);
      }
    } else reasons.push(`${place.path}: ${refusal}`);
  }
  throw new HeadgateError(
    "SERVER_SOCKET_FAILED",
    `no private folder for the server's socket (${reasons.join("; ") || "every path is too long"})`,
  );
};

/** The socket that the state folder names; undefined where none is, or others could listen on it. */
export const findOwnerSocket = (
  localDir: string,
  { platform, user }: Pick<Surroundings, "platform" | "user">,
  files: Files = systemFiles,
): string | undefined => {
  const path = readShort(socketNotePath(localDir), files);
  // Not run: named pipes have no owner to look at.
  if (platform === "win32") return path.startsWith(pipeStart) ? path : undefined;
  if (!isAbsolute(path) || !files.stat(path)?.isSocket()) return undefined;
  const folder = dirname(path);
  return folder === localDir || isPrivate(folder, user, files) ? path : undefined;
};

/** The folder goes as well when it was made for sockets and holds no other. */
export const removeOwnerSocket = (
  path: string,
  localDir: string,
  files: Files = systemFiles,
): void => {
  if (!files.stat(path)?.isSocket()) return;
  files.unlink(path);
  if (dirname(path) === localDir) return;
  try {
    files.removeDirectory(dirname(path));
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
  }
};

const pipeStart = "\\\\.\\pipe\\headgate-";

/** In order of preference. Nothing of the tree decides; the state folder comes first. */
const socketPlaces = (localDir: string, environment: Surroundings): readonly SocketPlace[] => {
  const name = sha256(localDir).slice(0, 16);
  // Not run: Windows has neither such folders nor a curl that speaks to pipes; its hooks work in process.
  if (environment.platform === "win32") {
    return [{ path: `${pipeStart}${name}`, isOwnFolder: false }];
  }
  const { variables, temporary, user = 0 } = environment;
  const runtime = variables["XDG_RUNTIME_DIR"] ?? "";
  const places = [
    { path: join(localDir, "socket"), isOwnFolder: false },
    ...(isAbsolute(runtime)
      ? [{ path: join(runtime, "headgate", `${name}.sock`), isOwnFolder: true }]
      : []),
    { path: join(temporary, `headgate-${user}`, `${name}.sock`), isOwnFolder: true },
  ];
  return places.filter(
    ({ path }) => Buffer.byteLength(draftPath(path)) <= limits.socketPathBytesMax,
  );
};

/** Why others could be there; undefined when they cannot. */
const prepareFolder = (
  { path, isOwnFolder }: SocketPlace,
  { user, platform }: Surroundings,
  files: Files,
): string | undefined => {
  if (platform === "win32") return undefined;
  const folder = dirname(path);
  if (!isOwnFolder) {
    const mode = files.stat(folder)?.mode ?? 0;
    return (mode & 0o022) === 0 ? undefined : "others may write in its folder";
  }
  try {
    files.makeDirectory(folder, 0o700);
  } catch (error) {
    return errnoOf(error) ?? String(error);
  }
  return isPrivate(folder, user, files) ? undefined : "its folder is not private";
};

const isPrivate = (folder: string, user: number | undefined, files: Files): boolean => {
  const stat = files.stat(folder);
  return stat?.isDirectory() === true && stat.uid === user && (stat.mode & 0o077) === 0;
};

/**
 * Made under another name and renamed: what a killed server left is replaced in one step, and when this one
 * ends, Node deletes the name it knows, never the socket of a server that came after it.
 */
const listenAt = async (
  server: Server,
  path: string,
  files: Files,
  platform: NodeJS.Platform,
): Promise<void> => {
  if (platform === "win32") return listening(server, path);
  const draft = draftPath(path);
  if (files.stat(draft) !== undefined) files.unlink(draft);
  // The name appears while `listen` is called, so the mask is never seen by anything else.
  const mask = process.umask(0o177);
  const done = listening(server, draft);
  process.umask(mask);
  await done;
  files.rename(draft, path);
};

const draftPath = (path: string): string => `${path}.new`;

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, exclusive: true }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
