/**
 * What agents print, for people who watch: the end of it, in one file per agent beside the run. No part of the
 * record: it may hold anything, nobody reads it back but people, and only the newest agents' are kept.
 */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../../base/clock.ts";
import type { Files } from "../../base/files.ts";
import { removeFile } from "../../base/open-file.ts";
import { limits } from "../../base/limits.ts";
import { redactSecrets } from "../../base/secrets.ts";
import { showText } from "../../base/text.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import type { AgentRecord } from "../types.ts";

export interface Printing {
  add(chunk: Uint8Array): void;
  /** The last of it is written, and the oldest agents' goes. */
  end(): void;
}

interface Place {
  /** The run's folder. */
  readonly dir: string;
  readonly files: Files;
  readonly clock: Clock;
}

const folderIn = (dir: string): string => join(dir, "output");
const fileOf = (dir: string, agent: string): string => join(folderIn(dir), `${agent}.log`);

/** `later`: in order, beside what goes on. */
export const keepPrinted = (
  agent: string,
  { dir, files, clock }: Place,
  later: (work: () => Promise<void>) => void,
): Printing => {
  let tail: Buffer = Buffer.alloc(0);
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let isChanged = false;
  let isCut = false;
  /** A write that waits for its time: what came last must not wait for what comes next. */
  let waiting: AbortController | undefined;
  const write = async (): Promise<void> => {
    if (!isChanged) return;
    isChanged = false;
    files.makeDirectory(folderIn(dir), 0o700);
    // An agent may print its keys; a line that lost its beginning may be the rest of one.
    const whole = isCut ? tail.subarray(tail.indexOf("\n") + 1) : tail;
    const safe = Buffer.from(redactSecrets(whole.toString("utf8")));
    const options = { files, clock, durability: "cache", mode: 0o600 } as const;
    await writeFileAtomic(fileOf(dir, agent), safe, options);
  };
  const writeInTime = async ({ signal }: AbortController): Promise<void> => {
    await clock.sleep(Math.max(0, writtenAtMs + limits.runPrintedEveryMs - clock.monoMs()), signal);
    waiting = undefined;
    if (signal.aborted) return;
    writtenAtMs = clock.monoMs();
    later(write);
  };
  return {
    add: (chunk) => {
      const whole = Buffer.concat([tail, chunk]);
      isCut ||= whole.length > limits.runPrintedBytesMax;
      tail = Buffer.from(whole.subarray(Math.max(0, whole.length - limits.runPrintedBytesMax)));
      isChanged = true;
      if (!waiting) void writeInTime((waiting = new AbortController()));
    },
    end: () => {
      waiting?.abort();
      later(async () => {
        await write();
        prune(dir, files);
      });
    },
  };
};

export interface Printed {
  readonly agent: string;
  readonly plan: string;
  readonly task: number;
  readonly isAtWork: boolean;
  /** As lines that a terminal and a page can show: without colours and other controls. */
  readonly lines: readonly string[];
}

/** Of those at work, and of the last one. */
export const readPrinted = (
  agents: readonly AgentRecord[],
  dir: string,
  files: Files,
): readonly Printed[] => {
  const isKept = files.stat(folderIn(dir)) !== undefined;
  return agents
    .filter(({ status }, index) => status === "spawned" || index === agents.length - 1)
    .map(({ agent_id: agent, plan, task, status }) => ({
      ...{ agent, plan, task, isAtWork: status === "spawned" },
      lines: isKept ? plainLines(readContent(fileOf(dir, agent), files)) : [],
    }));
};

const plainLines = (content: Buffer | undefined): readonly string[] => {
  const text = stripVTControlCharacters(content?.toString("utf8") ?? "").trimEnd();
  if (text === "") return [];
  return text
    .split("\n")
    .slice(-limits.runPrintedLinesMax)
    .map((line) => {
      // A line that was written over, as progress is: its last form.
      const last = line.trimEnd().split("\r").at(-1) ?? "";
      return showText(last.replaceAll("\t", "  "), limits.runPrintedLineLengthMax);
    });
};

/** Ids of agents are in the order of their making. */
const prune = (dir: string, files: Files): void => {
  const names = files.stat(folderIn(dir)) ? files.list(folderIn(dir)).map(({ name }) => name) : [];
  const old = names.filter((name) => name.endsWith(".log")).toSorted();
  for (const name of old.slice(0, -limits.runHistoryMax)) {
    removeFile(files, join(folderIn(dir), name));
  }
};
