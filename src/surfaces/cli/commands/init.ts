import { join } from "node:path";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { HeadgateError } from "../../../errors.ts";
import { isStateLeft, moveState, stateInTree } from "../../../git/index.ts";
import type { GitHooksPlan } from "../../git/index.ts";
import type { Client, ClientState, DetectedClient, SetupPlace } from "../../setup/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import type { Profile } from "../../../profile/index.ts";
import { openFor } from "../open-for.ts";
import {
  askFor,
  countFiles,
  isNothing,
  placeFor,
  planObject,
  printPlan,
  printProblems,
  setupOptions,
  type ShownPlan,
} from "../setup-run.ts";

const names = [
  "claude",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "opencode",
  "qwen",
  "vscode",
] as const;

export const command: Command = {
  summary: "Set this repository up: hooks, MCP server, rules for your agents",
  usage: ["init [--client NAME…] [--no-git-hooks] [--yes | --dry-run]"],
  description:
    "Finds the agent clients that are installed here or known to the repository, shows what it will change " +
    "in their project settings, and asks. Comments and foreign entries stay as they are, byte for byte. A " +
    "second run changes nothing; `headgate uninstall` takes everything back.",
  options: {
    client: {
      type: "string",
      multiple: true,
      value: "NAME",
      choices: names,
      description: "Set up this client, found or not, and no other; may be repeated",
    },
    "no-git-hooks": { type: "boolean", description: "Leave git's hooks alone" },
    http: {
      type: "boolean",
      description: "Claude Code asks the server directly: quicker, but nothing works without `up`",
    },
    ...setupOptions,
  },
  examples: [
    ["headgate init", "show the changes and ask"],
    ["headgate init --dry-run", "only show them"],
    ["headgate init --yes --client claude --client codex", "these two, without asking"],
  ],
  exits: [
    [0, "set up, or nothing to change"],
    [1, "a file could not be set up, or you said no"],
    [2, "there is no terminal to ask at, and --yes is not given"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    await using headgate = await openFor(context, {
      ...{ readOnly: true, needsFiles: true, movesState: true },
    });
    const setup = await import("../../setup/index.ts");
    const place = placeFor(headgate, context);
    const detected = setup.detectClients(place);
    const clients = chosen(detected, context);
    const isLeft = isStateLeft(headgate.repository);
    const local = (isLeft && stateInTree(headgate.repository)) || place.localDir;
    const hasLocal = place.files.stat(local) !== undefined;
    const manifest = setup.readManifest(local, hasLocal) ?? setup.emptyManifest;
    const git = await gitPlan(headgate, context);
    const shown: ShownPlan = {
      plan: setup.planSetup(place, clients, { manifest, ...httpPort(headgate, context) }),
      git: git.changes,
    };
    const isArmed = await hasRuntime(place);
    const isDone = isNothing(shown) && isArmed && !isLeft;
    const { output, flags } = context;
    if (!isDone) {
      await show(shown, { headgate, detected, clients, context });
      if (flags.has("http")) output.line(`  ${overHttp}\n`);
      if (isLeft) output.line(`  and moves .headgate/local to ${showText(place.localDir)}\n`);
      for (const note of git.notes) output.line(`\n${note.trimEnd()}\n`);
    }
    printProblems(shown.plan, context);
    const isDry = flags.has("dry-run");
    if (!isDone && !isDry) {
      const question = isNothing(shown) ? "Arm this clone?" : `Write ${countFiles(shown)}?`;
      await askFor(question, "headgate init", context);
      const changed = setup.outdatedClients(place, clients).filter(({ once }) => once);
      const left = isLeft ? moveState(headgate.repository) : [];
      if (left.length > 0) output.line(`  left in .headgate/local, not used: ${left.join(", ")}`);
      await arm(place);
      await setup.applySetup(place, shown.plan.files, manifest);
      if (shown.git.length > 0) {
        const { installGitHooks } = await import("../../git/index.ts");
        await installGitHooks(headgate.repository, { environment: context.environment });
      }
      setup.noteTrust(place.localDir, changed);
      if (isLeft) await useMovedStore(context, { from: local, to: place });
    }
    if (!isDry) await rememberSecret(context, place.localDir, { isNew: !hasLocal });
    const isWhole = shown.plan.problems.length === 0;
    const project = isDone ? {} : await lookAtProject(headgate, context);
    output.object({
      ok: isWhole,
      root: place.root,
      changed: !isDone && !isDry,
      clients: clients.map(({ name }) => name),
      ...planObject(shown, place.root),
      notes: git.notes,
      ...project,
    });
    if (isDone) output.line(isWhole ? "nothing to change: everything is set up" : "nothing else");
    else if (!isDry) {
      const skipped = new Set(shown.plan.problems.map(({ path }) => path));
      finish(setup.clientStates(place, setup.noSigns), {
        ...{ clients, skipped, context },
        changed: setup.trustNeeded(place.localDir),
        caller: setup.calledAs(place, place.environment, place.files),
      });
    }
    if (!isDone) printProject(project, context);
    return (isWhole ? 0 : 1) satisfies ExitCode;
  },
};

/** Its claims stay good, and commands that only read find it as this release needs it. */
const useMovedStore = async (
  context: CommandContext,
  { from, to }: { readonly from: string; readonly to: SetupPlace },
): Promise<void> => {
  const { FenceMark } = await import("../../../claims/index.ts");
  const { localDir: dir, files } = to;
  const store = `sqlite:${join(dir, "store.db")}`;
  if (files.stat(join(dir, "fence-mark"))) {
    const mark = new FenceMark({ files, dir, store, isShared: false, bootId: "" });
    mark.adopt(from);
    mark.close();
  }
  await using headgate = await openFor(context, { readOnly: false });
  await headgate.claims.list({ limit: 1 });
};

/** For CI: where nothing was guarded before anybody may give it, later only a person. */
const rememberSecret = async (
  { environment }: CommandContext,
  stateFolder: string,
  { isNew }: { readonly isNew: boolean },
): Promise<void> => {
  const { personSecretVariable, registerSecret, whyNoPerson } =
    await import("../../../claims/index.ts");
  const { [personSecretVariable]: secret, ...variables } = environment.variables;
  if (!secret) return;
  if (isNew || whyNoPerson({ variables }, { stateFolder }) === undefined) {
    registerSecret(secret, stateFolder);
  }
};

const chosen = (
  detected: readonly DetectedClient[],
  { flags }: CommandContext,
): readonly Client[] => {
  const wanted = flags.texts("client");
  return detected
    .filter(({ client, signs }) =>
      wanted.length > 0 ? wanted.includes(client.name) : signs.length > 0,
    )
    .map(({ client }) => client);
};

const overHttp =
  "--http: Claude Code sends each edit and the token to a TCP port, where another user may listen after a crash of the server";

/** The address stands in the settings, so it must be the same after every start. */
const httpPort = (headgate: Headgate, { flags }: CommandContext): { httpPort?: number } => {
  if (!flags.has("http")) return {};
  const { port } = headgate.config.server;
  if (port !== 0) return { httpPort: port };
  throw usageError(
    "--http needs a fixed port: set `server.port` in your own settings (headgate config)",
    "headgate init",
  );
};

const gitPlan = async (
  headgate: Headgate,
  { flags, environment }: CommandContext,
): Promise<Pick<GitHooksPlan, "changes" | "notes">> => {
  if (flags.has("no-git-hooks")) return { changes: [], notes: [] };
  const { installGitHooks } = await import("../../git/index.ts");
  return installGitHooks(headgate.repository, { dryRun: true, environment });
};

const runtimeOf = async ({ localDir }: SetupPlace) => {
  const { join } = await import("node:path");
  const { runtimeText } = await import("../../setup/index.ts");
  return { path: join(localDir, "runtime"), text: runtimeText(process.execPath) };
};

const hasRuntime = async (place: SetupPlace): Promise<boolean> => {
  const { path, text } = await runtimeOf(place);
  const { hasHook } = await import("../../setup/index.ts");
  return (
    place.files.stat(path)?.isFile() === true &&
    place.files.readFile(path).equals(Buffer.from(text)) &&
    hasHook(place.localDir, place.files)
  );
};

/** With the hook in it this clone is armed: clients let everything pass where there is none. */
const arm = async (place: SetupPlace): Promise<void> => {
  const { makeLocalDir } = await import("../../../store/index.ts");
  const { writeFileAtomic } = await import("../../../state/index.ts");
  const { localDir, files, environment } = place;
  makeLocalDir(localDir, files, environment.platform);
  const { path, text } = await runtimeOf(place);
  await writeFileAtomic(path, text, { root: localDir, mode: 0o600 });
  const { writeHook } = await import("../../setup/index.ts");
  writeHook(localDir);
};

const show = async (
  shown: ShownPlan,
  parts: {
    readonly headgate: Headgate;
    readonly detected: readonly DetectedClient[];
    readonly clients: readonly Client[];
    readonly context: CommandContext;
  },
): Promise<void> => {
  const { headgate, detected, clients, context } = parts;
  const { output } = context;
  const { bold } = output.style;
  const { root, worktree } = headgate.repository;
  const found = clients.map(({ name, title }) => {
    const signs = detected.find(({ client }) => client.name === name)?.signs ?? [];
    return signs[0] === undefined ? title : `${title} (${showText(signs[0])})`;
  });
  output.line(`${bold("Headgate")} for ${showText(root)}`);
  if (worktree !== root) {
    output.line("  the main worktree is set up; commit it there, and this one gets it by merging");
  }
  output.line(
    found.length > 0
      ? `  agents: ${found.join(", ")}`
      : `  no agent client was found; name yours with --client (${names.join(", ")})`,
  );
  output.line();
  await printPlan(shown, root, context);
  output.line();
};

/** Only what is so: a client whose file was left alone, or that will skip its hooks, is not called guarded. */
const finish = (
  states: readonly ClientState[],
  {
    clients,
    changed,
    skipped,
    caller,
    context,
  }: {
    readonly clients: readonly Client[];
    /** Whose hooks have changed and must be trusted again. */
    readonly changed: readonly Client[];
    readonly skipped: ReadonlySet<string>;
    /** To be written for `headgate`, where that is not on PATH. */
    readonly caller: string | undefined;
    readonly context: CommandContext;
  },
): void => {
  const { output } = context;
  const { green, yellow, red, bold } = output.style;
  const stateFor = (name: Client["name"]) => states.find((one) => one.name === name);
  const guarded = clients.filter(({ name, hookPath, once }) => {
    const state = stateFor(name)?.state;
    return (
      once === undefined && !skipped.has(hookPath) && state !== undefined && state !== "problem"
    );
  });
  const titles = guarded.map(({ title }) => title).join(", ");
  output.line(
    guarded.length > 0
      ? `${green("done")}  ${titles}: every edit of a new session passes the gate`
      : skipped.size > 0
        ? `${yellow("not done")}  some files were left as they are, see above`
        : green("done"),
  );
  for (const { name, title, once, hookPath } of clients.filter((one) => !guarded.includes(one))) {
    const problem = stateFor(name)?.problem;
    if (skipped.has(hookPath)) output.line(`${red("not")}   ${title}: ${hookPath} was not changed`);
    else if (once !== undefined) {
      const isChanged = changed.some((one) => one.name === name);
      const why = isChanged ? "its hooks have changed and must be trusted again: " : "";
      output.line(`${yellow("you")}   ${title}: ${why}${once}`);
    } else if (problem)
      output.line(`${red("not")}   ${title}: ${problem.reason} (${problem.command})`);
  }
  if (caller !== undefined) output.line(`headgate is not on PATH: write ${caller} for it`);
  output.line(`see it refuse: ${bold("headgate doctor --prove")}`);
  output.line("commit the new files: worktrees and colleagues get them that way");
};

interface Project {
  /** Most certain first; absent where it could not be looked at. */
  readonly domains?: readonly string[];
  /** Reviewers that these domains have and the project lacks. */
  readonly missingReviewers?: readonly string[];
}

/** Never fails the set-up. The profile is kept: `status` need not look again. */
const lookAtProject = async (headgate: Headgate, context: CommandContext): Promise<Project> => {
  try {
    const { domains: found } = await keptProfile(headgate, context);
    const domains = found.filter(({ state }) => state === "detected").map(({ name }) => name);
    const { missingReviewers } = await import("../missing-reviewers.ts");
    return { domains, missingReviewers: await missingReviewers(headgate, domains) };
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    return {};
  }
};

/** Until here `init` was open for reading only. */
const keptProfile = async (headgate: Headgate, context: CommandContext): Promise<Profile> => {
  if (context.flags.has("dry-run")) return headgate.profile.detect({ cache: false });
  await using writing = await openFor(context, { readOnly: false, movesState: true });
  return await writing.profile.detect();
};

const printProject = (
  { domains, missingReviewers = [] }: Project,
  context: CommandContext,
): void => {
  const { output } = context;
  if (domains === undefined) return;
  const { bold } = output.style;
  output.line(
    domains.length > 0
      ? `this project: ${domains.join(", ")} (${bold("headgate profile --explain")})`
      : `this project: no known kind (${bold("headgate profile --explain")})`,
  );
  if (missingReviewers.length === 0) return;
  const count = plural(missingReviewers.length, "reviewer");
  output.line(`${count} for it not made yet: ${bold("headgate reviewers generate")}`);
};
