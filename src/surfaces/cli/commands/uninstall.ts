import { removeFile } from "../../../base/open-file.ts";
import { showText } from "../../../base/text.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { requirePerson } from "../require-person.ts";
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
import type { SetupPlace } from "../../setup/index.ts";

export const command: Command = {
  summary: "Take back what init added",
  usage: ["uninstall [--purge] [--yes | --dry-run]"],
  description:
    "Files that nobody changed since `headgate init` become what they were, byte for byte; in others only " +
    "Headgate's part goes. A server of this repository is stopped. Claims, events and history stay in .git/headgate unless --purge is given. Only a " +
    "person does this: at a terminal, or with a secret for one use (docs/security.md).",
  options: {
    purge: {
      type: "boolean",
      description: "Also delete .git/headgate: store, claims, events, edit history",
    },
    ...setupOptions,
  },
  examples: [
    ["headgate uninstall --dry-run", "only show what would go"],
    ["headgate uninstall --yes --purge", "everything, without asking"],
  ],
  exits: [
    [0, "taken back, or nothing was there"],
    [1, "a file could not be restored, you said no, or a person is needed"],
    [2, "there is no terminal to ask at, and --yes is not given"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output, flags, environment } = context;
    const setup = await import("../../setup/index.ts");
    const { uninstallGitHooks } = await import("../../git/index.ts");
    await using headgate = await openFor(context, { readOnly: true });
    const place = placeFor(headgate, context);
    const hasLocal = place.files.stat(place.localDir) !== undefined;
    const manifest = setup.readManifest(place.localDir, hasLocal);
    const git = await uninstallGitHooks(headgate.repository, { dryRun: true, environment });
    const shown: ShownPlan = { plan: setup.planRemoval(place, manifest), git: git.changes };
    const purges = flags.has("purge") && hasLocal;
    const isDone = isNothing(shown) && !purges;
    if (!isDone) await printPlan(shown, place.root, context);
    if (purges) output.line(`  and all of ${showText(place.localDir)}: store, events, history`);
    printProblems(shown.plan, context);
    const isDry = flags.has("dry-run");
    let stopped: { readonly address: string; readonly pid: number } | undefined;
    if (!isDone && !isDry) {
      const words = ["uninstall", ...(flags.has("purge") ? ["--purge"] : [])];
      await requirePerson(context, headgate, { what: "uninstall", words });
      const what = purges ? `${countFiles(shown)} and delete the store` : countFiles(shown);
      await askFor(`Restore ${what}?`, "headgate uninstall", context);
      const { endServer } = await import("./up-stop.ts");
      stopped = await endServer(context, place.localDir);
      await uninstallGitHooks(headgate.repository, { environment });
      await setup.applyRemoval(place, shown.plan.files, manifest);
      await headgate.close();
      setup.removeHook(place.localDir, place.files);
      if (purges) {
        setup.removeTree(place.localDir, place.files);
        removeFile(place.files, `${place.localDir}-fences.json`);
      }
      setup.removeHeadgateFolder(place);
    }
    const isWhole = shown.plan.problems.length === 0;
    output.object({
      ok: isWhole,
      root: place.root,
      changed: !isDone && !isDry,
      purged: purges && !isDry,
      ...(stopped && { stopped: { address: stopped.address, pid: stopped.pid } }),
      ...planObject(shown, place.root),
    });
    if (isDone) output.line("nothing to take back");
    else if (!isDry) {
      if (stopped) output.line(`stopped the server (process ${stopped.pid})`);
      report(purges, place, context);
    }
    return isWhole ? 0 : 1;
  },
};

const report = (purged: boolean, place: SetupPlace, { output }: CommandContext): void => {
  output.line(`${output.style.green("done")}  the gate is gone from this repository.`);
  const kept = showText(place.localDir);
  if (!purged) output.line(`  store and history stay in ${kept} (--purge deletes them)`);
};
