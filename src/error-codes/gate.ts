import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** What the gate refuses or notes. They are reasons of a verdict; nothing was written. */
export const gateCodes = {
  HOOKS_SKIPPED: {
    kind: "refused",
    cause:
      "An agent's command would run git without its hooks (`--no-verify`, `core.hooksPath`, `HUSKY=0`), or open a shell whose commands no hook sees.",
    remedy: "Run it with the hooks, and repair what they refuse; a person may run it all the same.",
    ...never,
  },
  PERSON_NEEDED: {
    kind: "refused",
    cause: "An agent asked for what only a person may do.",
    remedy: "Go on without it, or ask the person you work for to do it.",
    ...never,
  },
  COMMIT_NOTHING: {
    kind: "refused",
    cause: "An agent's commit holds no line of its own session; what is staged belongs to others.",
    remedy: "Nothing is left to do: the session's lines are committed already (git log).",
    ...never,
  },
  COMMIT_REFUSED: {
    kind: "refused",
    cause: "A hook, git or a moving branch stopped `headgate commit`; nothing was committed.",
    remedy: "Do what the reason says, then repeat it.",
    ...later,
  },
  COMMIT_UNFINISHED: {
    kind: "refused",
    cause: "A merge, rebase or cherry-pick is not finished in this worktree.",
    remedy: "Finish it with git first.",
    ...never,
  },
  COMMIT_PARTIAL: {
    kind: "refused",
    cause:
      "Only some of the session's lines of a file are staged, and others have lines in it, too.",
    remedy: "Stage the whole file, or use `headgate commit --path`.",
    ...never,
  },
  COMMIT_CHANGED: {
    kind: "refused",
    cause: "Another program staged files while an agent's commit was being made.",
    remedy: "Repeat the commit; nothing was committed.",
    ...later,
  },
  EDIT_TAKEN_BACK: {
    kind: "refused",
    cause: "A file is staged with half of an edit that was killed; the edit is taken back now.",
    remedy: "Stage the file again and repeat the commit; nothing was committed.",
    ...later,
  },
  COMMIT_FOREIGN: {
    kind: "refused",
    cause:
      "An agent's `git commit` holds lines of others, and `commit.agents` says that it is refused.",
    remedy: "Commit the session's own lines: `headgate commit -m TEXT`.",
    ...never,
  },
  COMMIT_HOOKS: {
    kind: "refused",
    cause:
      "Others have uncommitted lines, so the user's hooks need a checkout of their own, which could not be made.",
    remedy: "Mend what the reason names and repeat the commit, or wait for the others' commits.",
    ...later,
  },
  COMMIT_MIXED: {
    kind: "refused",
    cause:
      "A filter of git changes the file on its way into a commit, so its lines cannot be separated.",
    remedy: "Wait until the others have committed, or take their lines along.",
    ...later,
  },
  PATH_GIT: {
    kind: "refused",
    cause: "The path belongs to git itself.",
    remedy: "Use git commands to change what git keeps.",
    ...never,
  },
  PATH_OWN: {
    kind: "refused",
    cause: "The path belongs to Headgate itself.",
    remedy: "Use headgate commands; settings are in .headgate/config.jsonc.",
    ...never,
  },
  PATH_PROTECTED: {
    kind: "refused",
    cause:
      "The path arms the agents' hooks, or a pattern of the configuration protects it (`gate.protect`).",
    remedy: "Leave it as it is, or ask the person you work for.",
    ...never,
  },
  PATH_LINK: {
    kind: "refused",
    cause: "The path is a link or lies behind one, so the write would land elsewhere.",
    remedy: "Name the file by its real path inside the repository.",
    ...never,
  },
  PATH_HARD_LINK: {
    kind: "refused",
    cause: "The file has other names (hard links), which the write would change or cut off.",
    remedy: "Make it a file of its own first (cp, then mv).",
    ...never,
  },
  PATH_SPECIAL: {
    kind: "refused",
    cause:
      "The path is a folder, a device, a pipe or the system's own (`/proc`, `/sys`, `/dev`), or something on its way is not a folder.",
    remedy: "Name a regular file.",
    ...never,
  },
  FILE_UNREADABLE: {
    kind: "unavailable",
    cause: "A file could not be read.",
    remedy: "Look at its permissions.",
    ...never,
  },
  DUPLICATE_SYMBOL: {
    kind: "refused",
    cause: "The change defines something that its scope defines already.",
    remedy: "Change the existing definition (`headgate edit modify`) or choose another name.",
    ...never,
  },
  DUPLICATE_IMPORT: {
    kind: "refused",
    cause: "The change imports what the file imports already; in Python this is a note.",
    remedy: "Leave the second import out.",
    ...never,
  },
  DUPLICATE_EXPORT: {
    kind: "refused",
    cause: "The change exports a name that the file exports already.",
    remedy: "Export it once.",
    ...never,
  },
  DUPLICATE_KEY: {
    kind: "refused",
    cause: "The change adds a key that its object has already; the last one would win in silence.",
    remedy: "Change the existing key.",
    ...never,
  },
  SYNTAX_ERROR: {
    kind: "refused",
    cause: "The change brings syntax errors into a file; those that were there do not count.",
    remedy: "Correct the code at the line and column of the reason.",
    ...never,
  },
  LAZY_PLACEHOLDER: {
    kind: "refused",
    cause: "The change writes a comment that stands for code (`... existing code ...`).",
    remedy: "Write the whole code, or use an operation that leaves the rest alone.",
    ...never,
  },
  FILE_WRAPPED: {
    kind: "refused",
    cause:
      "The file would hold what an agent said: Markdown fences, a sentence, escaped line breaks or the marks of a diff.",
    remedy: "Write only the file's own text.",
    ...never,
  },
  ODD_CHARACTER: {
    kind: "refused",
    cause:
      "The change brings in U+FFFD, a bidi control, a character without width or NUL; a note where a text may need it.",
    remedy: "Leave it out, or write it as an escape.",
    ...never,
  },
  LINE_ENDS_CHANGED: {
    kind: "refused",
    cause: "All line ends change, or become mixed; a note unless the policy says deny.",
    remedy: "Keep the line ends that the file has.",
    ...never,
  },
  BYTE_ORDER_MARK: {
    kind: "refused",
    cause: "The change adds a byte order mark; a note unless the policy says deny.",
    remedy: "Write the file without it.",
    ...never,
  },
  SECRET_FOUND: {
    kind: "refused",
    cause:
      "The change writes a private key or a service's key of a valid form; a note for examples and in tests.",
    remedy: "Leave it out, read it from the environment, and revoke it if it was ever shared.",
    ...never,
  },
  FILE_GENERATED: {
    kind: "refused",
    cause:
      "A lock file, a dependency, build output or a file that says not to edit it is changed by hand; a note unless the policy says deny.",
    remedy: "Change what it is made from and run the program that makes it.",
    ...never,
  },
  TESTS_FEWER: {
    kind: "refused",
    cause: "Tests or assertions go away; a note unless the policy says deny.",
    remedy: "Put them back if they were removed to make the tests pass.",
    ...never,
  },
  TEST_SKIPPED: {
    kind: "refused",
    cause: "More tests are skipped than before; a note unless the policy says deny.",
    remedy: "Repair the test or the code.",
    ...never,
  },
  TEST_FOCUSED: {
    kind: "refused",
    cause: "A test is marked so that all others do not run; a note unless the policy says deny.",
    remedy: "Take the mark off.",
    ...never,
  },
  CHECK_SUPPRESSED: {
    kind: "refused",
    cause: "More comments or attributes switch a checker off; a note unless the policy says deny.",
    remedy: "Repair the cause, or say beside it why the check is wrong.",
    ...never,
  },
  SYMBOLS_LOST: {
    kind: "refused",
    cause:
      "A file loses more than half of its functions and types; a note unless the policy says deny.",
    remedy: "Put back what was to stay.",
    ...never,
  },
  DEBUGGER_LEFT: {
    kind: "refused",
    cause: "A statement that stops in a debugger is new; a note unless the policy says deny.",
    remedy: "Take it out.",
    ...never,
  },
  MERGE_MARKER: {
    kind: "refused",
    cause: "The change writes markers of an unfinished merge.",
    remedy: "Resolve the conflict and leave the markers out.",
    ...never,
  },
  IMPORT_UNKNOWN: {
    kind: "refused",
    cause:
      "The commit imports a name that the project's module does not export, a file that is not there, or a package that is neither declared nor installed. At the edit it is an open end.",
    remedy: "Import what exists, or add what is missing to the same commit.",
    ...never,
  },
  NAME_DANGLING: {
    kind: "refused",
    cause:
      "The commit takes an import, a definition or a field out of a file that still uses it. At the edit it is an open end.",
    remedy: "Bring it back, or remove what uses it.",
    ...never,
  },
  CALL_UNKNOWN: {
    kind: "refused",
    cause:
      "The change calls something that exists nowhere in the project or its dependencies. At the edit a name " +
      "of the project is a note, a slip of an existing name is refused once, and a missing member of a library " +
      "is refused; at the commit all of them are.",
    remedy:
      "Use one of the existing names that the message offers, or add it before the commit. Repeat a refused " +
      "edit as it is if you are about to add the name.",
    ...never,
  },
  READ_FIRST: {
    kind: "refused",
    cause:
      "A whole file is written over that the session has never read. Refused where the client reports what it " +
      "reads, a note elsewhere.",
    remedy: "Read the file, then change what has to change, or write the whole file again.",
    ...later,
  },
  ARGUMENTS_MISMATCH: {
    kind: "refused",
    cause:
      "A call of a project function gives too many or too few arguments, or one that the function does not " +
      "have: by the change itself, or because it changes the function and a caller elsewhere does not follow. " +
      "At the edit it is a note, at the commit it is refused; in JavaScript it is always a note.",
    remedy: "Give the function what it takes, or change both together before the commit.",
    ...never,
  },
  SIGNATURE_CHANGED: {
    kind: "refused",
    cause: "A signature changes that is used elsewhere; a note unless the policy says deny.",
    remedy: "Look at the call sites in the message.",
    ...never,
  },
  SYMBOL_REMOVED: {
    kind: "refused",
    cause:
      "Something is removed or renamed that is used elsewhere. A name or module that other files still import is refused at the commit; calls that only have the same name are a note.",
    remedy: "Change the imports and calls in the message, or keep the name.",
    ...never,
  },
  NOT_JUDGED: {
    kind: "unavailable",
    cause:
      "A judgement ran out of time or of room (the machine is busy): nothing is known about the change.",
    remedy: "Try again in a moment; `headgate status` lists the writes that are not judged yet.",
    ...later,
  },
  NOT_JUDGEABLE: {
    kind: "refused",
    cause:
      "A source file could be analysed before and cannot be any more, or a new one holds a NUL character or ends its parser. A note where it could not be analysed before either, or is only too large.",
    remedy:
      "Write NUL as an escape, nest less deeply, or give content that is not source another file ending.",
    ...never,
  },
  NOT_ANALYSED: {
    kind: "refused",
    cause:
      "The structure of a file was not looked at, for the reason in the message; always a note.",
    remedy: "Only the rules about paths, claims and stale views were applied.",
    ...later,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
