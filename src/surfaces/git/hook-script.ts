/**
 * What stands in git's hooks. The lines in a hook are few and find the runner in the git directory,
 * where nothing that is tracked can be: without it (another clone of the same repository) they do
 * nothing. The runner's text is the same in every repository.
 */
import { agentMarkNames } from "../../claims/index.ts";
import { armingFiles } from "../../gate/index.ts";
import { hookRunnerName, scratchFolder } from "../../git/index.ts";
import { noteEnding, planName } from "./commit-plan.ts";
import { openEnding } from "./open-ends.ts";
import type { GitHookName } from "./types.ts";

export const runnerName = hookRunnerName;

/** Hooks that were moved aside lie here, beside where they were, under their own names. */
export const beforeFolder = "headgate-before";
/** For links, which may be relative and so stay in their folder. */
export const beforeSuffix = ".headgate-before";

const begin = "# >>> headgate >>> `headgate uninstall` takes these lines away";
const end = "# <<< headgate <<<";

/** Of any version. */
export const blockPattern = /^# >>> headgate >>>[^\n]*\n(?:[^\n]*\n)*?# <<< headgate <<<\n/m;
/** A file that Headgate made, of any version. */
export const ownFilePattern =
  /^#!\/bin\/sh\n# made by headgate\n# >>> headgate >>>[^\n]*\n(?:[^\n]*\n)*?# <<< headgate <<<\n$/;

const findRunner = `if headgate_dir=$(git rev-parse --git-common-dir 2>/dev/null) && [ -f "$headgate_dir/${runnerName}" ]; then`;

const runPlain = (name: GitHookName): string[] => [
  findRunner,
  `  sh "$headgate_dir/${runnerName}" ${name} "$@" || exit $?`,
  "fi",
];

/** Git tells these hooks more on standard input, and whatever runs after us needs it as well. */
const runWithInput = (name: GitHookName): string[] => [
  "headgate_input=$(cat)",
  // This one runs for every change of a ref: most of them end here. HEAD alone is a commit on no branch.
  ...(name === "reference-transaction"
    ? [
        "headgate_look=",
        "case $headgate_input in",
        '  *" refs/heads/"*) headgate_look=1 ;;',
        `  *" HEAD") [ ! -f "$(git rev-parse --git-path ${planName} 2>/dev/null)" ] || headgate_look=1 ;;`,
        "esac",
        'if [ -n "$headgate_look" ]; then',
      ]
    : []),
  findRunner,
  `  printf '%s\\n' "$headgate_input" | sh "$headgate_dir/${runnerName}" ${name} "$@" || exit $?`,
  "fi",
  ...(name === "reference-transaction" ? ["fi"] : []),
  'if [ -n "$headgate_input" ]; then exec <<HEADGATE_INPUT',
  "$headgate_input",
  "HEADGATE_INPUT",
  "else exec </dev/null; fi",
];

/** Of pre-commit's words to the runner: hooks of the user come after ours; they have run apart, and ended so. */
export const moreWord = "more";
export const ranWord = "ran";

/**
 * Hooks of the user come below. The runner may have made a checkout for them (user-hooks.ts): then this very
 * hook is run in there, where these lines do nothing, and the runner takes their work. Otherwise they go on
 * here, and what is staged is looked at once more if they staged something, as formatters do.
 */
const runAround = (name: GitHookName, more: string): string[] => [
  findRunner.replace(
    /; then$/,
    ` && case $(pwd -P) in "$headgate_dir"/${scratchFolder}/*/tree) false ;; esac; then`,
  ),
  `  sh "$headgate_dir/${runnerName}" ${name} ${more} || exit $?`,
  `  headgate_note=$GIT_INDEX_FILE${noteEnding}`,
  '  if [ -f "$headgate_note" ]; then',
  "    headgate_self=$0 headgate_code=0",
  "    case $0 in /*) ;; *) headgate_self=$(pwd)/$0 ;; esac",
  "    (",
  '      IFS= read -r headgate_tree <"$headgate_note" && cd "$headgate_tree" || exit 1',
  "      unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX",
  "      case $- in",
  '        *e*) "${BASH:-sh}" -e "$headgate_self" "$@" ;;',
  '        *) "$headgate_self" "$@" ;;',
  "      esac",
  "    ) || headgate_code=$?",
  `    sh "$headgate_dir/${runnerName}" ${name} ${ranWord} "$headgate_code" || [ "$headgate_code" -ne 0 ] || headgate_code=1`,
  '    exit "$headgate_code"',
  "  fi",
  "  headgate_staged() { git diff-index --cached HEAD 2>/dev/null | cksum; }",
  "  headgate_seen=$(headgate_staged)",
  "  headgate_after() {",
  "    headgate_code=$?",
  "    trap - EXIT",
  '    if [ "$headgate_code" -eq 0 ] && [ "$headgate_seen" != "$(headgate_staged)" ]; then',
  `      sh "$headgate_dir/${runnerName}" ${name} || headgate_code=$?`,
  "    fi",
  '    exit "$headgate_code"',
  "  }",
  "  trap headgate_after EXIT",
  "fi",
];

const linesOf = (name: GitHookName, more: string = moreWord): string[] => {
  if (name === "pre-commit") return runAround(name, more);
  if (name === "pre-push") return runWithInput(name);
  // Most branches bring nothing that calls Headgate, or that it would have to warn of.
  if (name === "post-checkout") {
    const look = `if [ "$3" = 1 ] && ! git diff-tree --quiet -r "$1" "$2" -- ${armingPlaces} 2>/dev/null; then`;
    return [look, ...runPlain(name), "fi"];
  }
  // Only a commit that takes lines of others along, or has open ends, has anything to say in its message.
  if (name === "commit-msg") {
    const look = `if [ -f "$GIT_INDEX_FILE${openEnding}" ] || { headgate_plan=$(git rev-parse --git-path ${planName} 2>/dev/null) && grep -q '"carried":\\["' "$headgate_plan" 2>/dev/null; }; then`;
    return [look, ...runPlain(name), "fi"];
  }
  if (name !== "reference-transaction") return runPlain(name);
  return ['if [ "$1" = prepared ]; then', ...runWithInput(name), "fi"];
};

const armingPlaces = [".headgate", ...armingFiles].join(" ");

/** The lines that go into somebody's own hook, which must be one of the shell. */
export const hookBlock = (name: GitHookName): string =>
  `${[begin, ...linesOf(name), end].join("\n")}\n`;

/** A hook of our own. What was there before runs after us, with the same arguments and input. */
export const hookFile = (name: GitHookName): string => {
  const lines = [
    "#!/bin/sh",
    "# made by headgate",
    begin,
    `headgate_before=\${0%/*}/${beforeFolder}/\${0##*/}`,
    `[ -x "$headgate_before" ] || headgate_before=$0${beforeSuffix}`,
    ...(name === "pre-commit"
      ? ["headgate_more=", `[ ! -x "$headgate_before" ] || headgate_more=${moreWord}`]
      : []),
    ...linesOf(name, "$headgate_more"),
    // The pre-commit framework moves what it finds aside and runs it: then it is what was there before.
    '[ -z "$PRE_COMMIT_RUNNING_LEGACY" ] || exit 0',
    name === "pre-commit"
      ? '[ ! -x "$headgate_before" ] || "$headgate_before" "$@" || exit $?'
      : '[ ! -x "$headgate_before" ] || exec "$headgate_before" "$@"',
    end,
  ];
  return `${lines.join("\n")}\n`;
};

/**
 * Which index git works on, who acts, as claims read it (test/surfaces/git pins that list), and whether
 * `headgate commit` asks, which has narrowed already.
 */
export const askedVariables = [
  ...["GIT_DIR", "GIT_INDEX_FILE", "HEADGATE_ACTOR", "HEADGATE_COMMIT", "HEADGATE_LAUNCHER"],
  "HEADGATE_CLAIM_SECRET",
  ...["CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CLAUDE_PID", "CODEX_THREAD_ID"],
  ...["GEMINI_SESSION_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT", "COPILOT_AGENT"],
  ...["QWEN_CODE_SESSION_ID", "QWEN_CODE", "COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"],
] as const;

/** Of agents' shells, as the shell writes them. */
const markWords = agentMarkNames.map((name) => `$${name}`).join("");

export const runnerText = `#!/bin/sh
# Runs Headgate for one of git's hooks: headgate-hook NAME ARGUMENTS...
# Made by \`headgate init\`, taken away by \`headgate uninstall\`; the same text in every repository.
hook=$1
place=\${0%/*}/headgate
# Never armed in this clone.
[ -d "$place" ] || exit 0

is_absolute() {
  case $1 in /* | [A-Za-z]:[/\\\\]*) return 0 ;; esac
  return 1
}

# What would be loaded into the program that judges.
unset NODE_OPTIONS NODE_PATH LD_PRELOAD
node= cli= code=127 input= nl='
'
case $hook in pre-push | reference-transaction) input=$(cat) ;; esac

# Asks the running server and prints what it answers; nothing where the question would need more than plain
# texts, or this call has settings of its own: then a process of its own judges.
ask_server() {
  LC_ALL=C
  case $(export -p) in
    *' HEADGATE_'[!ACL]* | *' HEADGATE_L'[!A]* | *' HEADGATE_A'[!C]* | *' HEADGATE_AC'[!T]*) return 0 ;;
    *' HEADGATE_C'[!O]* | *' HEADGATE_CO'[!M]* | *' HEADGATE_COM'[!M]*) return 0 ;;
  esac
  curl=$(command -v curl) && is_absolute "$curl" || return 0
  [ -r "$place/socket-path" ] && [ "\${#input}" -lt 20000 ] || return 0
  read -r socket <"$place/socket-path" || :
  is_ours "$socket" || return 0
  said=
  for name in cwd ${askedVariables.join(" ")}; do
    case $name in cwd) value=$(pwd -P) ;; *) eval "value=\\\${$name-}" ;; esac
    [ -n "$value" ] || continue
    is_plain "$value" || return 0
    said="$said\\"$name\\":\\"$value\\","
  done
  shift
  words=
  for value in "$@"; do
    is_plain "$value" || return 0
    words="$words\${words:+,}\\"$value\\""
  done
  lines=
  while IFS= read -r value; do
    [ -n "$value" ] || continue
    is_plain "$value" || return 0
    lines="$lines\${lines:+,}\\"$value\\""
  done <<INPUT
$input
INPUT
  "$curl" -q -s --noproxy '*' --unix-socket "$socket" --connect-timeout 2 --max-time 30 \\
    -H "X-Headgate-Pid: $PPID" -H 'Content-Type: application/json' -H 'Expect:' --data-binary @- \\
    "http://headgate/git-hooks/$hook" 2>/dev/null <<QUESTION
{"surroundings":{\${said%,}},"args":[$words],"input":[$lines]}
QUESTION
}

# No other user can listen there: see headgate/hook.
is_ours() {
  [ -S "$1" ] || return 1
  [ "\${1%/*}" -ef "$place" ] && return 0
  [ -O "\${1%/*}" ] && [ ! -L "\${1%/*}" ]
}

is_plain() {
  case $1 in *[\\\\\\"]* | *[[:cntrl:]]*) return 1 ;; esac
}

in_process() {
  if [ -f "$place/runtime" ]; then
    { IFS= read -r node; IFS= read -r cli; } <"$place/runtime"
  fi
  if is_absolute "$node" && is_absolute "$cli" && [ -x "$node" ] && [ -f "$cli" ]; then
    printf '%s\\n' "$input" | "$node" "$cli" git-hook -- "$@"
    code=$?
  else
    cli=$(command -v headgate 2>/dev/null)
    if is_absolute "$cli"; then
      printf '%s\\n' "$input" | "$cli" git-hook -- "$@"
      code=$?
    else
      echo "headgate: not found, so $hook was not judged; install it and run: headgate init" >&2
    fi
  fi
}

# The answer ends in a mark that only the server and this user's files have: without it, it was cut, or is
# another program's.
mark=
[ ! -r "$place/hook-mark" ] || read -r mark <"$place/hook-mark" || :
end=$nl\${mark:-no mark}
answer=$(ask_server "$@") || answer=
case $answer in
  [02]"$end") code=\${answer%%"$nl"*} ;;
  [02]"$nl"*"$end")
    code=\${answer%%"$nl"*}
    answer=\${answer#*"$nl"}
    printf '%s\\n' "\${answer%"$end"}" >&2
    ;;
  *) in_process "$@" ;;
esac
[ "$code" -ne 0 ] || exit 0

case $hook in
  post-commit | post-checkout) exit 0 ;;
  # Refusing here as well would stop every branch from moving.
  reference-transaction) [ "$code" -ne 127 ] || exit 0 ;;
esac
# 2 is a refusal, with its reason on the screen; anything else is a failure of ours.
[ "$code" -ne 2 ] || exit 1
# Nothing can be asked who acts: a terminal without an agent's variables has to do.
if [ -z "${markWords}" ] && (: </dev/tty) 2>/dev/null; then
  if [ -n "$HEADGATE_BYPASS" ]; then
    echo "headgate: passed by HEADGATE_BYPASS, perhaps without a record" >&2
    exit 0
  fi
  echo "headgate: on purpose: HEADGATE_BYPASS=reason git ..." >&2
fi
echo "headgate: refused, because it could not judge (headgate doctor)" >&2
exit 1
`;
