import { accessSync, appendFileSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe } from "vitest";

/**
 * A group of tests with needs that not every machine meets. Where they are met it is an ordinary
 * `describe`. Where they are not, the group is put on the "not run" list that `npm test` prints, with
 * the reason. In CI that is a failure unless HEADGATE_ALLOW_NOT_RUN says that gaps are expected there.
 */
export const describeWith = (needs: Needs, title: string, tests: () => void): void => {
  const reason = unmet(needs);
  if (reason === undefined) {
    describe(title, needs.inOrder ? { shuffle: false } : {}, tests);
    return;
  }
  if (process.env["CI"] && !process.env["HEADGATE_ALLOW_NOT_RUN"]) {
    throw new Error(`cannot run "${title}": ${reason}`);
  }
  const list = process.env["HEADGATE_NOT_RUN_LIST"];
  if (list) appendFileSync(list, `${title}: ${reason}\n`);
  describe.runIf(false)(title, tests);
};

export interface Needs {
  readonly platforms?: readonly NodeJS.Platform[];
  /** Mounting, loop devices and changing the user need it. */
  readonly root?: boolean;
  readonly programs?: readonly string[];
  /** A Chromium. */
  readonly browser?: boolean;
  /** The tests are steps of one scene, and keep their order in a run in random order, too. */
  readonly inOrder?: boolean;
}

/** The first is Chromium without its windows, a smaller download. */
export const browsers = ["chromium-headless-shell", "chromium"] as const;

export const hasProgram = (name: string): boolean =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const unmet = ({ platforms, root, programs = [], browser }: Needs): string | undefined => {
  if (platforms && !platforms.includes(process.platform)) {
    return `needs ${platforms.join(" or ")}, this is ${process.platform}`;
  }
  if (root && process.getuid?.() !== 0) return "needs root";
  if (browser && !browsers.some(hasProgram)) return `needs ${browsers.join(" or ")}`;
  const missing = programs.filter((name) => !hasProgram(name));
  return missing.length > 0 ? `needs ${missing.join(", ")}` : undefined;
};
