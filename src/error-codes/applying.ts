import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** Writing changes to the disk, taking them back, and the record of both. */
export const applyingCodes = {
  STALE_VIEW: {
    kind: "stale",
    cause: "A file is not the version that the change was made for; nothing was written.",
    remedy: "Read the file again and make the change on its present content.",
    ...never,
  },
  EDIT_TARGET_KIND: {
    kind: "refused",
    cause: "A file to be changed is a link or behind one, has other names, or is no plain file.",
    remedy: "Name a plain file by its real path; make a file with several names one of its own.",
    ...never,
  },
  EDIT_NOT_APPROVED: {
    kind: "refused",
    cause: "The person who was asked said no; nothing was written.",
    remedy: "Repeat the command and say yes, or add --yes.",
    ...never,
  },
  EDIT_VERIFY_FAILED: {
    kind: "refused",
    cause: "The verify command failed or ran out of time, so the edit was taken back.",
    remedy: "Read the end of its output in the answer, correct the change and repeat it.",
    ...never,
  },
  EDIT_NOT_TAKEN_BACK: {
    kind: "refused",
    cause: "A failed edit could not be taken back in files that somebody else changed meanwhile.",
    remedy: "Look at the files the message names; their earlier content is kept with the edit.",
    ...never,
  },
  EDIT_JOURNAL_DAMAGED: {
    kind: "unavailable",
    cause: "The record or the kept content of an edit cannot be read, or is not what was written.",
    remedy:
      "Nothing of it was done. Restore the file that the message names from a backup, or delete it if you do not know it.",
    ...never,
  },
  EDIT_UNKNOWN: {
    kind: "absent",
    cause: "No edit of this repository has this id, or it did not touch the named file or symbol.",
    remedy: "List the edits with `headgate history`.",
    ...never,
  },
  EDIT_NOT_UNDOABLE: {
    kind: "absent",
    cause: "There is nothing to undo: the files are as they were before the edit.",
    remedy: "List the edits with `headgate history`; undo the undo to get a change back.",
    ...never,
  },
  UNDO_CONFLICT: {
    kind: "refused",
    cause: "Later changes touch the same lines as the edit that is to be undone.",
    remedy: "Undo the later edits first, or change the lines by hand.",
    ...later,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
