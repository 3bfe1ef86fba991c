/** Answers from files, by what was asked; and, where another runner stands behind, the recording of its. */
import { join } from "node:path";
import * as v from "valibot";
import { sha256 } from "../base/sha256.ts";
import { errnoOf } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { writeFileAtomic } from "../state/index.ts";
import { without } from "./answers.ts";
import type { FixtureSpec, Ports } from "./spec.ts";
import type { RunAnswer, Runner, RunRequest } from "./types.ts";

export const fixtureRunner = (
  name: string,
  spec: FixtureSpec,
  ports: Ports,
  behind?: Runner,
): Runner => ({
  name,
  family: spec.family ?? behind?.family ?? "fixture",
  ...(behind?.model !== undefined && { model: behind.model }),
  ...(behind?.readsFiles && { readsFiles: true }),
  isReplayed: true,
  // What is played costs nothing.
  cost: behind?.cost ?? { prices: { input: 0, output: 0 } },
  run: async (request, options) => {
    if (options.signal.aborted) return without("cancelled", "cancelled");
    const file = join(spec.folder, recordingName(request));
    const recorded = readRecording(file, ports);
    if (typeof recorded !== "string") return recorded;
    if (!behind) return without("failed", recorded);
    const answer = await behind.run(request, options);
    // A refusal or a cut answer would be played for ever.
    if (answer.ended !== "answer" || answer.truncated) return answer;
    await record(file, request, answer, ports);
    return answer;
  },
});

/** The label for people, the hash for all that decides the answer. */
const recordingName = ({ label, system, prompt, model }: RunRequest): string => {
  const hash = sha256(JSON.stringify([label, system ?? null, prompt, model ?? null])).slice(0, 24);
  const shown = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60);
  return `${shown.replaceAll(/^-|-$/g, "") || "question"}-${hash}.json`;
};

const recording = v.object({
  text: v.string(),
  structured: v.optional(v.any()),
  usage: v.optional(
    v.object({
      inputTokens: v.pipe(v.number(), v.minValue(0)),
      outputTokens: v.pipe(v.number(), v.minValue(0)),
    }),
    { inputTokens: 0, outputTokens: 0 },
  ),
  model: v.optional(v.string()),
});

/** A text: what is wrong with it. */
const readRecording = (file: string, { files }: Ports): RunAnswer | string => {
  const shown = showText(file);
  let bytes: Buffer;
  try {
    const stat = files.statFollowing(file);
    if (!stat) return `nothing is recorded for this question: there is no file ${shown}`;
    if (!stat.isFile() || stat.size > limits.runnerTextLengthMax)
      return `${shown} is not a recording`;
    bytes = files.readFile(file);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return `the recording ${shown} cannot be read: ${errnoOf(error)}`;
  }
  try {
    const { text, usage, structured, model } = v.parse(
      recording,
      JSON.parse(bytes.toString("utf8")),
    );
    return {
      ended: "answer",
      text,
      usage,
      costUsd: 0,
      ...(structured !== undefined && { structured }),
      ...(model !== undefined && { model }),
      truncated: false,
      tries: 1,
    };
  } catch {
    return `the recording ${shown} is not what a recording must be: JSON with a text`;
  }
};

const record = async (
  file: string,
  { label, model }: RunRequest,
  answer: RunAnswer,
  { files, clock, random }: Ports,
): Promise<void> => {
  files.makeDirectory(join(file, ".."), 0o700);
  const { text, structured, usage } = answer;
  const content = { label, model: answer.model ?? model, usage, structured, text };
  await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`, {
    files,
    clock,
    random,
    mode: 0o600,
    durability: "normal",
  });
};
