import { join } from "node:path";
import { showText } from "../../../base/text.ts";
import { calledAs } from "../../called-as.ts";
import { findProgramOutside } from "../../../base/find-program.ts";
import { hasHook } from "../state-hook.ts";
import { differingIn, differingRemedy, differingText } from "../tree-files.ts";
import type { SetupPlace } from "../types.ts";
import { type Check, checksIn } from "./check.ts";
import { runQuietly } from "./run-quietly.ts";

/** Programs that Headgate needs or likes, and room on the disk. */
export const machineChecks = async (place: SetupPlace, nodeVersion: string): Promise<Check[]> => {
  const { ok, warning } = checksIn("machine");
  const has = (name: string): boolean =>
    findProgramOutside(name, place.root, place.environment, place.files) !== undefined;
  const caller = calledAs(place, place.environment, place.files);
  return [
    ok(`Node.js ${nodeVersion}`),
    ...(caller === undefined ? [] : [ok(`headgate is not on PATH: here it is ${caller}`)]),
    has("curl")
      ? ok("curl, with which hooks ask the server")
      : warning("no curl: every hook starts a process of its own", "Install curl."),
    ...(has("git") ? [] : [warning("no git on PATH", "Install git.")]),
    ...(await diskChecks(place)),
  ];
};

const diskChecks = async (place: SetupPlace): Promise<Check[]> => {
  const { ok, warning, problem } = checksIn("machine");
  const df = findProgramOutside("df", place.root, place.environment, place.files);
  const folder = place.files.stat(place.localDir) ? place.localDir : place.root;
  const text = df && (await runQuietly([df, "-Pk", folder], place));
  const free = Number(/\n\S+\s+\d+\s+\d+\s+(\d+)\s/.exec(text ?? "")?.[1] ?? Number.NaN) / 1024;
  if (Number.isNaN(free)) {
    const why = df === undefined ? "there is no df" : "df gave no answer";
    return [warning(`free room on the disk: not judged, ${why}`, `Look yourself: df ${folder}`)];
  }
  const shown = free < 10_240 ? `${Math.floor(free)} MB` : `${Math.floor(free / 1024)} GB`;
  if (free < 50) return [problem(`only ${shown} free on the disk`, "Free some room.")];
  return [
    free < 500 ? warning(`${shown} free on the disk`, "Free some room.") : ok(`${shown} free`),
  ];
};

/** The hook that all clients start, what it starts, and what of ours is in the tree. */
export const hookChecks = (place: SetupPlace): Check[] => {
  const { ok, problem } = checksIn("Headgate");
  const { root, localDir, files } = place;
  const again = "Run `headgate init`.";
  const checks = differingIn(root, files).map((path) =>
    problem(differingText(path), differingRemedy),
  );
  const runtime = join(localDir, "runtime");
  if (!files.stat(runtime)?.isFile()) {
    return [...checks, problem("this clone is not armed: its hooks let everything pass", again)];
  }
  const [node = "", program = ""] = files.readFile(runtime).toString("utf8").split("\n");
  if (!hasHook(localDir, files)) {
    const what = files.stat(join(localDir, "hook")) ? "is not this release's" : "is missing";
    checks.push(
      problem(`${showText(join(localDir, "hook"))}, which clients start, ${what}`, again),
    );
  }
  const gone = [node, program].find((path) => !files.statFollowing(path)?.isFile());
  checks.push(
    gone === undefined
      ? ok("this clone is armed")
      : problem(`${showText(gone)} is gone, which hooks start without a server`, again),
  );
  return checks;
};
