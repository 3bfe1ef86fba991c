#!/bin/sh
# Headgate's hook for agent clients. `headgate init` copies this file to .headgate/hook; the clients' settings
# call it with one word, the client's name, and give it their payload on standard input:
#
#   .headgate/hook codex < payload
#
# Answer: 0 and silence (or a message) when there is no objection, 2 and the reason on stderr when the tool is
# refused. No other exit code: most clients run the tool after any other failure. It asks the running server;
# without one it runs the command line. This file and its call stay the same over releases, because clients
# ask their user anew when a hook changes.
LC_ALL=C
harness=${1-}
nl='
'

refuse() {
  printf '%s\n' "Headgate refused this tool: HOOK_FAILED" "$1" \
    "Run \`headgate doctor\`, or \`headgate init\` in this repository." \
    'headgate: {"code":"HOOK_FAILED"}' >&2
  exit 2
}

case $harness in
  '' | *[!a-z]*) refuse "The hook was called without a client's name." ;;
esac

# Folder of this file, without starting a program for it.
case $0 in
  */*) own=${0%/*} ;;
  *) own=. ;;
esac
root=$own/..

# Where the server's port, the token and the path of node are kept: beside this file, or, in a linked worktree,
# in the main one (beside git's own folder where there is no main one).
state=$own/local
if [ ! -d "$state" ] && [ -f "$root/.git" ]; then
  read -r pointer <"$root/.git" || :
  gitdir=${pointer#gitdir: }
  case $gitdir in
    /*) ;;
    *) gitdir=$root/$gitdir ;;
  esac
  common=${gitdir%/worktrees/*}
  case $common in
    "$gitdir") ;;
    */.git) state=${common%/.git}/.headgate/local ;;
    *) state=$common/headgate ;;
  esac
fi

# Never set up in this clone: nothing to guard with, and nobody asked for it.
[ -d "$state" ] || exit 0

# Runs the command line with the payload. Its own exit codes are 0 and 2; anything else is a crash.
in_process() {
  node= program=
  if [ -r "$state/runtime" ]; then
    { read -r node && read -r program; } <"$state/runtime" || :
    if [ -x "$node" ] && [ -r "$program" ]; then
      printf '%s' "$payload" 2>/dev/null | "$node" "$program" hook "$harness" --repo "$root"
      return
    fi
  fi
  if command -v headgate >/dev/null 2>&1; then
    printf '%s' "$payload" 2>/dev/null | headgate hook "$harness" --repo "$root"
    return
  fi
  return 127
}

payload=$(cat)

if [ -n "${HEADGATE_BYPASS-}" ]; then
  # It is only asked to write the bypass down.
  in_process >/dev/null 2>&1
  exit 0
fi

# The token is in a file that only its owner can read; on curl's command line everybody could. -q: nobody's
# curl settings count; --noproxy: nor does a proxy.
if [ -r "$state/port" ] && [ -r "$state/hook-header" ]; then
  read -r port <"$state/port" || :
  case ${port:-x} in
    *[!0-9]*) answer= ;;
    *)
      # The payload as a here-document, because each process more would be felt with every tool.
      answer=$(curl -q -s --noproxy '*' --connect-timeout 2 --max-time 25 \
        -H "@$state/hook-header" -H "X-Headgate-Pid: $PPID" \
        -H 'Content-Type: application/json' -H 'Expect:' --data-binary @- \
        "http://127.0.0.1:$port/hooks/$harness" 2>/dev/null <<EOF
$payload
EOF
      ) || answer=
      ;;
  esac
  # `0` or `2`, then what to print, then a line with a dot: without it the answer was cut, or is not ours.
  case $answer in
    "0$nl.") exit 0 ;;
    "0$nl"*"$nl.")
      body=${answer#*"$nl"}
      printf '%s\n' "${body%"$nl".}"
      exit 0
      ;;
    "2$nl"*"$nl.")
      body=${answer#*"$nl"}
      printf '%s\n' "${body%"$nl".}" >&2
      exit 2
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
