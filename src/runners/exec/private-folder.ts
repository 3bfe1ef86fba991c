/** A folder for one run of one program: its home, its temporaries, what it is told. Nobody else's to read. */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { errnoOf, openFlags } from "../../base/files.ts";
import type { Ports } from "../spec.ts";

export interface PrivateFolder {
  readonly path: string;
  /** Also the folders above it. Returns the path. */
  put(name: string, content: string): string;
  makeFolder(name: string): string;
  /** The client's own login file, where it expects it: a link, so that a renewed token is kept. */
  linkTo(target: string, name: string): void;
  remove(): void;
}

export const makePrivateFolder = ({ environment, files, random }: Ports): PrivateFolder => {
  const name = Buffer.from(random.bytes(12)).toString("hex");
  const path = join(files.realPath(environment.temporary), `headgate-run-${name}`);
  files.makeDirectory(path, 0o700);
  const makeFolder = (inner: string): string => {
    const folder = join(path, inner);
    files.makeDirectory(folder, 0o700);
    return folder;
  };
  const put = (inner: string, content: string | Uint8Array): string => {
    const file = join(path, inner);
    makeFolder(join(inner, ".."));
    writeNew(files, file, content);
    return file;
  };
  return {
    path,
    makeFolder,
    put,
    linkTo: (target, inner) => {
      makeFolder(join(inner, ".."));
      try {
        files.symlink(target, join(path, inner));
      } catch (error) {
        if (errnoOf(error) !== "EPERM") throw error;
        put(inner, files.readFile(target));
      }
    },
    remove: () => removeTree(files, path),
  };
};

const writeNew = (files: Files, path: string, content: string | Uint8Array): void => {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const fd = files.open(path, openFlags.create, 0o600);
  try {
    for (let at = 0; at < bytes.byteLength;) at += files.write(fd, bytes, at);
  } finally {
    files.close(fd);
  }
};

/** Never through a link: what it points to is somebody else's. Leaves what cannot be removed. */
const removeTree = (files: Files, path: string): void => {
  // Something may still be written while it ends.
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      for (const entry of files.list(path)) {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) removeTree(files, inner);
        else files.unlink(inner);
      }
      files.removeDirectory(path);
      return;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
      if (errnoOf(error) === undefined) throw error;
    }
  }
};
