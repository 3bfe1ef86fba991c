import { type ErrorCodeEntry, never } from "./entry.ts";

/** Operations that do not fit the file they were meant for. */
export const editingCodes = {
  SYMBOL_UNKNOWN: {
    kind: "absent",
    cause: "The file has no symbol or import of this name.",
    remedy: "Use one of the names in the answer; `headgate outline FILE` shows all of them.",
    ...never,
  },
  SYMBOL_AMBIGUOUS: {
    kind: "refused",
    cause: "Several symbols answer to this name, or several share one statement.",
    remedy: "Name one of them as the answer spells it (NAME~1, NAME~2), or use replace.",
    ...never,
  },
  RENAME_UNCERTAIN: {
    kind: "refused",
    cause:
      "Places in other files may mean the symbol that was to be renamed, and that is not certain.",
    remedy:
      "Look at the places in the answer and change them; `--file-only` renames in the definition's file alone, and a " +
      "person can say `--force`.",
    ...never,
  },
  RENAME_MENTION: {
    kind: "refused",
    cause: "A string or comment names what was renamed; always a note.",
    remedy: "Change it by hand where it means the definition.",
    ...never,
  },
  STRUCTURE_ABSENT: {
    kind: "refused",
    cause: "The file has no structure that this operation could work on.",
    remedy: "Use replace, insert, patch or write, which need only the text.",
    ...never,
  },
  CODE_UNFIT: {
    kind: "usage",
    cause: "The code given is not what the operation takes: one definition, or one import.",
    remedy: "Give the code that the message asks for; use rename to change a name.",
    ...never,
  },
  TEXT_NOT_FOUND: {
    kind: "stale",
    cause: "The text to be replaced is not in the file.",
    remedy: "Read the file again; the answer names the first line that differs, and how.",
    ...never,
  },
  TEXT_NOT_UNIQUE: {
    kind: "refused",
    cause: "The text to be replaced is in the file more than once.",
    remedy: "Add lines around it until it is unique, or say which one (nth), or all.",
    ...never,
  },
  ALREADY_APPLIED: {
    kind: "refused",
    cause: "The file already has what the operation would put there.",
    remedy: "Nothing needs to be done; read the file again before changing it further.",
    ...never,
  },
  PATCH_MISMATCH: {
    kind: "stale",
    cause: "A patch cannot be read, or its context is not in the file exactly once.",
    remedy: "Read the file again and make the patch from its present content.",
    ...never,
  },
  FILE_EXISTS: {
    kind: "refused",
    cause: "A file that would be created is there already.",
    remedy: "Use write to replace it, or choose another name.",
    ...never,
  },
  FILE_ABSENT: {
    kind: "absent",
    cause: "There is no file at this path.",
    remedy: "Correct the path; `headgate edit create` makes a new file.",
    ...never,
  },
  ENCODING_UNFIT: {
    kind: "refused",
    cause: "The file's encoding has no place for a character in the new text.",
    remedy: "Write it with an escape, or convert the file to UTF-8 first.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
