import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash, readContent } from "../state/index.ts";
import { limits } from "../base/limits.ts";
import { hashOf, type MarkedText, splitMarker } from "./marker.ts";
import { isAgentFile } from "./names.ts";
import { namedFailure, type Place } from "./place.ts";

/** A file in the agents' folder, named from there. */
export interface AgentFile extends MarkedText {
  readonly file: string;
  readonly text: string;
  /** Of its bytes: what a write must find there. */
  readonly bytesHash: string;
  readonly bodyHash: string;
}

export interface AgentFiles {
  readonly readable: ReadonlyMap<string, AgentFile>;
  /** Links, folders, what is too large or no text: names that are taken, and nothing else. */
  readonly closed: ReadonlyMap<string, string>;
}

/** Everything below the agents' folder that is no folder: the client looks into folders, too. */
export const namesBelow = (files: Files, agentsDir: string, below = ""): string[] => {
  const folder = join(agentsDir, below);
  const names = namedFailure(folder, () => files.list(folder)).flatMap((entry) => {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (!entry.isDirectory()) return [name];
    const canEnter =
      name.split("/").length < limits.reviewerAgentDepthMax && !entry.name.startsWith(".");
    return canEnter ? namesBelow(files, agentsDir, name) : [];
  });
  if (names.length <= limits.reviewerAgentFilesMax) return names;
  throw new HeadgateError(
    "INPUT_TOO_LARGE",
    `${agentsDir} holds more than ${limits.reviewerAgentFilesMax} files`,
  );
};

export const readAgentFiles = ({ files, agentsDir }: Place): AgentFiles => {
  const readable = new Map<string, AgentFile>();
  const closed = new Map<string, string>();
  if (!files.stat(agentsDir)) return { readable, closed };
  const names = namesBelow(files, agentsDir);
  for (const name of names.filter(isAgentFile).toSorted()) {
    const read = readOne(name);
    if (typeof read === "string") closed.set(name, read);
    else readable.set(name, read);
  }
  return { readable, closed };

  function readOne(file: string): AgentFile | string {
    const path = join(agentsDir, file);
    const stats = files.stat(path);
    if (!stats?.isFile()) return "not a plain file";
    if (stats.size > limits.reviewerAgentBytesMax) return "too large";
    try {
      const bytes = readContent(path, files);
      if (!bytes) return "gone";
      const text = bytes.toString("utf8");
      if (!Buffer.from(text).equals(bytes)) return "not UTF-8 text";
      const marked = splitMarker(text);
      const hashes = { bytesHash: contentHash(bytes), bodyHash: hashOf(marked.body) };
      return { file, text, ...marked, ...hashes };
    } catch (error) {
      if (HeadgateError.isInstance(error)) return "not readable";
      throw error;
    }
  }
};
