/**
 * What `headgate help TOPIC` prints, and docs/help.md repeats: a page each, at most 40 lines. Lines that start
 * with two blanks and `headgate` are commands; a test holds them against the command table.
 */
export interface HelpTopic {
  readonly summary: string;
  readonly text: string;
}

export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  "getting-started": {
    summary: "From nothing to a guarded repository",
    text: `In the repository, once:

  headgate init                 shows what it changes, asks, then sets up hooks,
                                the MCP server and git's hooks for your agents
  headgate doctor --prove       drives an edit through each hook and shows that
                                it is refused

Then work as before. The gate speaks only when an edit would break something or
somebody else holds what it changes. To look:

  headgate status               who is here, what is claimed, what was refused
  headgate events --last 20     everything that happened, in order
  headgate up                   the server; hooks answer faster with it

To see it work before you trust it:

  headgate demo                 eight agents in a temporary repository
  headgate mine                 what would have been refused in your history

To take it back: headgate uninstall. More: docs/getting-started.md`,
  },
  claims: {
    summary: "Who may write what, for how long, and who waits",
    text: `A claim is a time-limited right to write a target. Two claims on overlapping
targets are never held at once, unless both are shared. Hooks claim what an edit
changes by themselves; by hand:

  headgate claim src/auth --reason "new tokens" --ttl 30m
  headgate claim src/auth.ts#login --wait 60s
  headgate check src/auth.ts
  headgate claims
  headgate renew
  headgate release --all

Every grant has a fence, a number that only grows. A write shows its fence; after
the claim has ended the write is refused, however long the writer slept.

Waiting is in order, with priority and ageing. A circle of waiters is found and
one of them is told. A holder that is proven dead loses its claims at once, and
what it left unsaved in files is kept (headgate sweep). A live one is asked:

  headgate ask src/auth.ts "a hotfix"    it reads that with its next tool call
  headgate inbox                         the answer, and other notices

Targets: headgate help targets. More: docs/claims.md`,
  },
  gate: {
    summary: "What is refused before it is written",
    text: `One gate judges every write: of an agent's edit tool (hooks), of the MCP tools, of
headgate edit, of a commit. It refuses

  - what somebody else holds, or what changed since the writer looked;
  - a second definition of what exists: method, class, import, key;
  - syntax errors that were not there before;
  - placeholders ("... existing code ...") and merge markers;
  - calls of what exists nowhere (Python, TypeScript, JavaScript);
  - protected paths.

Only what this edit brings in counts, and each refusal says what to do instead.

  headgate judge proposal.json
  headgate edit modify src/user.py User.name
  headgate undo

On purpose, for a person at a terminal: --allow CODE --reason TEXT, or a comment
"headgate-allow: CODE reason" beside the line. The reason is kept in the log. More:
docs/editing.md, docs/languages.md`,
  },
  review: {
    summary: "From a change to one verdict",
    text: `A review asks the reviewers that fit the project and the change, each on its own,
and brings what they report together: the same problem once, how many saw it, one
verdict. The same reports always give the same result.

  headgate review                       the working tree, static rules only
  headgate review main...topic --runner claude --budget 1
  headgate review --staged --fail-on P1
  headgate review --explain             who would be asked, and why
  headgate findings list --severity P1
  headgate findings dismiss fi_… --reason wrong
  headgate review synth reports/*.json  reports made elsewhere

Without a runner nobody is asked and nothing is sent anywhere. Runners start
programs and cost money, so only your own configuration may name them.
More: docs/review.md, docs/findings.md, docs/runners.md`,
  },
  routing: {
    summary: "Which reviewers are noise here",
    text: `What becomes of findings (accepted, dismissed, fixed, escaped) is the evidence about a
reviewer. Routing turns evidence into overrides: a severity floor, paths taken
away, a later stage, a sample, or exclusion. Each is a commit in
.headgate/routing-overrides.json, is watched by a canary, and can be reverted.

Evidence comes from deciding about findings:

  headgate findings accept fi_…
  headgate findings dismiss fi_… --reason wrong

  headgate routing status         overrides, their canaries, what is proposed
  headgate routing patterns       what the evidence says about each reviewer
  headgate routing propose fd-x   then approve, then apply: a commit
  headgate routing revert fd-x    one command back
  headgate review --explain       what an override does to a review

A broken overrides file has no effect and is told. More: docs/routing.md`,
  },
  runs: {
    summary: "Plans carried out task by task",
    text: `A run carries out plans, each task by a fresh agent under claims. Every step is
stored before the next one begins, so it goes on after kill -9, and no task is
committed twice.

  headgate run new plans          plans to start from
  headgate run check plans        circles, overlapping write-sets, what is missing
  headgate run start plans --exec claude -p
  headgate run status
  headgate run pause
  headgate run resume
  headgate run rollback

Each task: claim, agent, verify command, a commit of only the listed files through the
gate, checkpoint. More: docs/runs.md`,
  },
  clients: {
    summary: "Agent clients and how each is guarded",
    text: `  client        set up by init           when Headgate cannot answer
  Claude Code   .claude/settings.json    refused (older versions let it pass)
  Codex         .codex/hooks.json        passes; approve the hooks with /hooks
  Cursor        .cursor/hooks.json       refused
  Gemini CLI    .gemini/settings.json    passes; nothing runs in untrusted folders
  opencode      .opencode/plugins        refused
  VS Code       .github/hooks            passes

What passes a client is still found after the edit, at the commit and in CI.

  headgate init --client codex    only this one
  headgate doctor                 every client: set up, trusted, able to block
  headgate status                 installed, seen, proven or PROBLEM, by client

Each session is an actor, its sub-agents are actors of their own; nobody types a
name. More: docs/setup.md, docs/hooks.md, docs/mcp.md`,
  },
  postgres: {
    summary: "Agents on several machines",
    text: `By default everything is in .git/headgate/store.db. For several machines:

  HEADGATE_STORE=postgres://headgate@db.example/headgate

in the environment, or "store" in your own configuration. It is never read from
the repository: an address is the user's business. The tables are made at the
first use, in a schema of their own.

  headgate status               says which store is used
  headgate doctor

Clones are one repository when they have the same remote (origin first). The
server's clock alone decides about time. Run headgate up on each machine: it keeps
five connections at most; hooks without it connect every time.
More: docs/teams.md, docs/scale.md`,
  },
  ci: {
    summary: "The same judgement on a server",
    text: `What an agent got past its hooks with is found here. No store and no set-up is needed,
but the history of the range is (a shallow clone is refused).

  headgate ci origin/main..HEAD
  headgate ci --base origin/main --format sarif --output headgate.sarif
  headgate ci origin/main..HEAD --each
  headgate review origin/main...HEAD --fail-on P1

0 nothing would be refused, 1 something would, 2 the range is unknown. In the
repository's own settings a gate cannot be weakened. More: docs/ci.md, docs/git.md`,
  },
  security: {
    summary: "What is protected against whom",
    text: `Headgate guards against agents that are wrong, not against a hostile process that
runs as you.

  - The repository is not trusted: its settings cannot run commands, name addresses or
    runners, or weaken the gate. Your own file, the environment and options can.
  - No shell; git is called without its hooks, filters and pagers.
  - Hooks and commands reach the server by a socket that is yours alone; browsers on
    127.0.0.1, with a token in a file only you can read.
  - No network and no telemetry; only the PostgreSQL address and the runners that
    you name yourself.
  - Text of agents and repositories is shown without its control characters.

  headgate config               every setting, and where it comes from
  headgate events verify        whether the log is whole
  headgate doctor

More: docs/security.md`,
  },
  "exit-codes": {
    summary: "What a command's exit code means",
    text: `  0    done, or clear
  1    refused, conflict, findings
  2    usage or configuration
  3    stale: what you acted upon has changed
  4    nothing there
  5    unknown outcome: it may or may not have happened; ask again with the same key
  69   store or system unavailable
  70   internal error
  130  interrupted

Each command's help says which of them it uses and for what. With --json a failure is
one object on standard output: {"ok":false,"code":…,"message":…,"remedy":…,"data":…}.
All codes: docs/errors.md`,
  },
  targets: {
    summary: "How to write what a claim is on",
    text: `  src/auth/login.ts                 a file
  src/auth                          a folder and everything below it
  .                                 the whole repository
  'src/**/*.{ts,tsx}'               exactly what fits the pattern
  src/auth.ts#AuthService.login     a symbol with everything inside it
  name:dev-server                   something that is no file: a port, a database
  @git/index                        part of git: index, head, stash, worktree

* any characters in a name, ? one, [a-m] [!.] a choice, ** any number of names,
{a,b} either, \\ takes a special character's meaning away.

Whether two targets overlap is decided exactly, never estimated. Quote patterns, or
the shell expands them.

  headgate check 'src/**/*.ts'

More: docs/targets.md`,
  },
};
