import { resolve } from "node:path";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { ContentKind, Durability } from "../../../state/index.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";

const words = "headgate state write";

export const command: Command = {
  summary: "Replace a file's content from standard input, whole or not at all",
  usage: ["state write FILE [--kind KIND] [--expect HASH|absent] [--durability CLASS] < CONTENT"],
  description:
    "The content is validated by its kind (from the file's ending unless given), written to a private " +
    "temporary, synced and renamed. --expect refuses when somebody else changed the file since you " +
    "read it.",
  options: {
    kind: {
      type: "string",
      value: "KIND",
      description: "What the content must be (default: by the file's ending)",
      choices: ["json", "jsonc", "yaml", "markdown", "text"],
    },
    expect: {
      type: "string",
      value: "HASH",
      description: "SHA-256 of the content that must be there now, or `absent`",
    },
    durability: {
      type: "string",
      value: "CLASS",
      description: "What a power cut may undo (default required: nothing)",
      choices: ["required", "normal", "cache"],
    },
    "allow-empty": { type: "boolean", description: "Empty content is meant" },
  },
  examples: [
    ["headgate state write STATE.md < new.md", "replace a file"],
    ["headgate state write a.json --expect absent < a.new", "create a file, never overwrite one"],
  ],
  exits: [
    [0, "written"],
    [1, "the content is not valid; nothing was changed"],
    [3, "the file is not the expected version; nothing was changed"],
    [5, "the new content is in place, but may not survive a power cut"],
    [69, "the disk, the permissions or another updater did not allow it; nothing was changed"],
  ],
  positionalsMax: 1,
  completes: "files",
  run: async ({ positionals, flags, output, environment, readInput }) => {
    const [file] = positionals;
    if (file === undefined || file === "") throw usageError("name the file to write", words);
    const state = await import("../../../state/index.ts");
    const expect = parseExpect(flags.text("expect"), state.isContentHash);
    const path = resolve(environment.cwd, file);
    const kind = (flags.text("kind") ?? state.kindOf(path)) as ContentKind;
    const content = await readInput(limits.stateFileBytesMax);
    if (content.byteLength > 0) {
      const checked = await state.validateContent(content, kind);
      if (!checked.ok) {
        const { message, line, column } = checked.problem;
        const place = line === undefined ? "" : ` at line ${line}, column ${column ?? 1}`;
        const text = `the content for ${showText(file, 1024)} is not valid ${kind}${place}: ${message}`;
        throw new HeadgateError("STATE_INVALID", text, {
          data: { path, kind, ...checked.problem },
        });
      }
    }
    const durability = flags.text("durability") as Durability | undefined;
    const result = await state.writeFileAtomic(path, content, {
      allowEmpty: flags.has("allow-empty"),
      ...(durability === undefined ? {} : { durability }),
      ...(expect === undefined ? {} : { expect }),
    });
    // A killed writer of this file may have left something.
    await state.recoverState([path]);
    output.object({ ok: true, ...result });
    output.line(
      `wrote ${showText(file, 1024)}  ${plural(result.bytes, "byte")}  sha256 ${result.hash}`,
    );
    return 0;
  },
};

const parseExpect = (
  given: string | undefined,
  isHash: (text: string) => boolean,
): string | null | undefined => {
  if (given === undefined) return undefined;
  if (given === "absent") return null;
  const hash = given.replace(/^sha256:/, "").toLowerCase();
  if (isHash(hash)) return hash;
  throw usageError("option --expect is a SHA-256 in hexadecimal, or `absent`", words);
};
