#!/bin/sh
# Headgate's hook for agent clients. `headgate init` copies this file into the state folder of a clone, git's own
# folder, where no branch can bring anything. The clients' settings find it there and start it with the client's
# name and the repository's root, and give it their payload on standard input:
#
#   sh .git/headgate/hook codex . < payload
#
# Answer: 0 and silence (or a message) when there is no objection, 2 and the reason on stderr when the tool is
# refused. No other exit code: most clients run the tool after any other failure. It asks the running server;
# without one it runs the command line.
LC_ALL=C
harness=${1-}
nl='
'

refuse() {
  # Only a tool can be refused. A client that is told no when it wants to end its turn goes on without end
  # (Codex, Gemini CLI). Quotes inside a JSON text are escaped: these are keys, whatever the agent wrote.
  case ${payload-} in
    *'"tool_name"'* | *'"tool_input"'* | *'"tool"'* | *'"toolName"'* | *'"file_path"'* | *'"filePath"'* | *'"command"'*) ;;
    *'"hook_event_name"'* | *'"event"'*)
      printf '%s\n' "$1 Run \`headgate doctor\`." >&2
      exit 0
      ;;
  esac
  # Copilot's command line shows its model nothing of an exit code but the number. All three read this answer.
  case ${COPILOT_CLI:+set}$harness in
    setclaude | setcopilot | setvscode)
      why="Headgate refused this tool: HOOK_FAILED. $1 Run \`headgate doctor\`, or \`headgate init\` in this repository."
      deny="\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"$why\""
      printf '%s\n' "{$deny,\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",$deny}}"
      exit 0
      ;;
  esac
  printf '%s\n' "Headgate refused this tool: HOOK_FAILED" "$1" \
    "Run \`headgate doctor\`, or \`headgate init\` in this repository." \
    'headgate: {"code":"HOOK_FAILED"}' >&2
  exit 2
}

case $harness in
  '' | *[!a-z]*) refuse "The hook was called without a client's name." ;;
esac

root=${2:-.}
# The server's socket and the path of node are named beside this file.
case $0 in
  */*) state=${0%/*} ;;
  *) state=. ;;
esac

# This client runs the hooks as they are now: nobody need be told to trust them again.
[ ! -f "$state/trust-$harness" ] || rm -f "$state/trust-$harness"

# How this Headgate is started: two lines, Node's path and the program's.
find_program() {
  node= program=
  [ -r "$state/runtime" ] || return 0
  { read -r node && read -r program; } <"$state/runtime" || :
  [ -x "$node" ] && [ -r "$program" ] || node=
}

# The MCP server of the same Headgate, for clients that are told only a command.
if [ "$harness" = mcp ]; then
  find_program
  [ -n "$node" ] && exec "$node" "$program" mcp --repo "$root"
  exec headgate mcp --repo "$root"
fi

# Runs the command line with the payload. Its own exit codes are 0 and 2; anything else is a crash.
in_process() {
  find_program
  if [ -n "$node" ]; then
    printf '%s' "$payload" 2>/dev/null | "$node" "$program" hook "$harness" --repo "$root"
  elif command -v headgate >/dev/null 2>&1; then
    printf '%s' "$payload" 2>/dev/null | headgate hook "$harness" --repo "$root"
  else
    return 127
  fi
}

payload=$(cat)

# The server listens on a socket in a folder that only its owner can enter: nobody else can take the place of
# one that was killed, so nothing is ever sent to a stranger. The state folder names it; a socket elsewhere
# counts only in a folder of this user.
is_ours() {
  [ -S "$1" ] || return 1
  [ "${1%/*}" -ef "$state" ] && return 0
  [ -O "${1%/*}" ] && [ ! -L "${1%/*}" ]
}

# Whether HEADGATE_BYPASS is the word of a person is found out by a process below the client.
socket=
if [ -z "${HEADGATE_BYPASS-}" ] && [ -r "$state/socket-path" ] && [ -r "$state/hook-mark" ]; then
  read -r socket <"$state/socket-path" || :
  read -r mark <"$state/hook-mark" || :
fi
if is_ours "$socket"; then
  # -q: nobody's curl settings count; --noproxy: nor does a proxy. The payload as a here-document, because each
  # process more would be felt with every tool.
  # Where this file can say that it has handed notices on, the server counts them as delivered only then.
  says=Expect
  [ ! -w "$state/receipts" ] || says='X-Headgate-Receipt: 1'
  answer=$(curl -q -s --noproxy '*' --unix-socket "$socket" --connect-timeout 2 --max-time 25 \
    -H "X-Headgate-Pid: $PPID" -H 'Content-Type: application/json' -H 'Expect:' -H "$says" --data-binary @- \
    "http://headgate/hooks/$harness" 2>/dev/null <<EOF
$payload
EOF
  ) || answer=
  # `0` or `2`, perhaps with the name of a receipt, then what to print, then the mark: without it the answer was cut, or is another program's.
  end=$nl${mark:-no mark}
  case $answer in
    "0$end") exit 0 ;;
    "0$nl"*"$end")
      body=${answer#*"$nl"}
      printf '%s\n' "${body%"$end"}"
      exit 0
      ;;
    "2$nl"*"$end")
      body=${answer#*"$nl"}
      printf '%s\n' "${body%"$end"}" >&2
      exit 2
      ;;
    "0 rc_"*"$nl"*"$end" | "2 rc_"*"$nl"*"$end")
      body=${answer#*"$nl"}
      body=${body%"$end"}
      receipt=${answer%%"$nl"*}
      code=${receipt%% *}
      receipt=${receipt#* }
      if [ "$code" = 0 ]; then printf '%s\n' "$body"; else printf '%s\n' "$body" >&2; fi && {
        case $receipt in
          *[!a-z0-9_]*) ;;
          *) printf '' >"$state/receipts/$receipt" ;;
        esac
      } 2>/dev/null
      exit "$code"
      ;;
  esac
fi

in_process
code=$?
case $code in
  0 | 2) exit "$code" ;;
  127) refuse "Neither the server nor the headgate command can be reached." ;;
  *) refuse "The hook ended with code $code." ;;
esac
