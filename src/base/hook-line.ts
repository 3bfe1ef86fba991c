/**
 * The line by which clients' settings start Headgate's hook in this clone's state folder (T-01). It looks at `.git`
 * and at nothing else that a branch could bring: a folder, or a file that names one, as in worktrees and
 * submodules. A clone without the hook is not armed: silence. Only a file in a folder of this user is started.
 *
 * The text is the same in every repository and release, because Codex and Gemini CLI ask for trust again when it
 * changes. It is for `sh -c`, because users' shells differ; it has no single quotes, and no `${`, which VS Code
 * and Claude Code would replace. Its words: the client's name, and the folder to begin at if the client tells it.
 */
const begin = `d=$2; [ -n "$d" ] || d=.`;

const findInGit = [
  `until [ -e "$d/.git" ] || [ ! -d "$d/.." ] || [ "$d" -ef / ]; do d=$d/..; done; g=$d/.git`,
  `[ ! -f "$g" ] || { read -r x p <"$g"; case $p in /*) g=$p ;; *) g=$d/$p ;; esac; }`,
  `[ ! -f "$g/commondir" ] || { read -r p <"$g/commondir"; case $p in /*) g=$p ;; *) g=$g/$p ;; esac; }`,
].join("; ");

/** Without git the state is among the user's own files (state-place.ts). */
const findInHome = `g=$XDG_STATE_HOME; [ -n "$g" ] || g=$HOME/.local/state; g=$g/headgate/folders$(cd "$d" && pwd -P)`;

const startHook =
  `[ ! -O "$g/headgate" ] || [ -L "$g/headgate" ] || [ ! -f "$g/headgate/hook" ] || [ -L "$g/headgate/hook" ] || ` +
  `exec /bin/sh "$g/headgate/hook" "$1" "$d"`;

/** For `sh -c`, by what the repository is. */
export const hookScripts = {
  git: `${begin}; ${findInGit}; ${startHook}`,
  folder: `${begin}; ${findInHome}; ${startHook}`,
} as const;

/** Relative to the repository's root: what the settings of earlier releases call. */
export const shimPath = ".headgate/hook";

/**
 * The file at that place. It is for settings of earlier releases, in other branches and of users: without it their
 * hooks would fail, and most clients go on then. It finds the same hook in the same way, whatever is beside it.
 */
export const shimText = `#!/bin/sh
# Made by \`headgate init\` for settings of earlier releases, which call this file. Newer ones start the hook in this
# clone's state folder themselves. So does this file: found by .git alone, and silent where \`headgate init\` never ran.
case $0 in
  */*) d=\${0%/*}/.. ;;
  *) d=.. ;;
esac
t=$d
until [ -e "$t/.git" ] || [ ! -d "$t/.." ] || [ "$t" -ef / ]; do t=$t/..; done
[ -e "$t/.git" ] || exec /bin/sh -c '${hookScripts.folder}' headgate "$1" "$d"
exec /bin/sh -c '${hookScripts.git}' headgate "$1" "$d"
`;

/** The command in settings: one line for any shell. `folder` is a word of the shell, or nothing. */
export const hookLine = (
  kind: keyof typeof hookScripts,
  client: string,
  { folder = "" }: { readonly folder?: string } = {},
): string => `/bin/sh -c '${hookScripts[kind]}' headgate ${client}${folder && ` ${folder}`}`;

/** A line of this release or of an earlier one. Nobody else's has this in it. */
export const isHookLine = (command: unknown): boolean =>
  typeof command === "string" &&
  (/(^|[/"'\s])\.headgate\/hook(["'\s]|$)/.test(command) ||
    Object.values(hookScripts).some((script) => command.includes(script)));

/**
 * The client whose hook the line starts, if it is letter for letter one that `init` writes or an earlier release
 * wrote: these stand for each other.
 */
export const clientOfLine = (command: string): string | undefined => {
  const line = /^\/bin\/sh -c '([^']*)' headgate ([a-z]+)(?: "\$CLAUDE_PROJECT_DIR")?$/.exec(
    command,
  );
  if (line && Object.values<string>(hookScripts).includes(line[1] ?? "")) return line[2];
  return earlierLine.exec(command)?.[1];
};

const earlierLine =
  /^(?:"\$\{CLAUDE_PROJECT_DIR:-\.\}"\/|"\$\(git rev-parse --show-toplevel 2>\/dev\/null \|\| pwd\)"\/)?\.headgate\/hook ([a-z]+)$/;

/** The same for a command in words, as the entries of MCP servers have it. */
export const clientOfWords = (words: readonly unknown[]): string | undefined => {
  const [shell, flag, script, name, client, ...more] = words;
  if (flag !== "-c" || typeof script !== "string" || more.length > 0) return undefined;
  const isNew = shell === "/bin/sh" && name === "headgate" && /^[a-z]+$/.test(String(client));
  if (isNew && Object.values<string>(hookScripts).includes(script)) return String(client);
  return shell === "sh" && words.length === 3 ? earlierScript.exec(script)?.[1] : undefined;
};

const earlierScript =
  /^exec "\$\(git rev-parse --show-toplevel 2>\/dev\/null \|\| pwd\)\/\.headgate\/hook" ([a-z]+)$/;
