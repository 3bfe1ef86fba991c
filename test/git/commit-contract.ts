/** The promises of a commit that Headgate makes for the user, whoever makes it: R-13, L-01, N-02. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Environment, systemEnvironment } from "../../src/base/environment.ts";
import { copyRepository, git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

export interface Committer {
  readonly name: string;
  /** Where it commits when another commit comes in between: on top of it, or not at all. */
  readonly afterRace: "on top" | "refused";
  /** Gets a repository with one commit; it commits one file there. */
  open(place: { readonly root: string; readonly environment: Environment }): Promise<Committing>;
}

export interface Committing {
  /** As hooks are told. */
  readonly actor: string | RegExp;
  /** The file that it commits, which is new. */
  readonly path: string;
  /** In the message, for a store that is rebuilt. */
  readonly trailer: RegExp;
  commit(): Promise<{ readonly ok: boolean; readonly reason?: string }>;
}

interface Scene extends Committing {
  readonly root: string;
  readonly folder: string;
  hook(name: string, text: string): void;
  commits(): number;
  /** Every git that was started with a command of this name, by its arguments. */
  started(command: string): string[];
}

export const commitContract = (committer: Committer): void => {
  const newScene = async (variables: Record<string, string> = {}): Promise<Scene> => {
    const folder = temporaryFolder();
    const root = copyRepository(join(folder, "repo"), "with a user", (template) => {
      makeRepository(template);
      git(template, "config", "user.name", "Grace");
      git(template, "config", "user.email", "grace@example.org");
    });
    const log = join(folder, "git.log");
    const bin = loggingGit(folder, log);
    const system = systemEnvironment();
    const environment: Environment = {
      ...{ ...system, cwd: root, home: folder },
      variables: {
        PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
        HOME: folder,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        ...variables,
      },
    };
    return {
      ...{ root, folder, ...(await committer.open({ root, environment })) },
      hook: (name, text) => program(join(root, ".git/hooks", name), text),
      commits: () => Number(git(root, "rev-list", "--count", "HEAD")),
      started: (command) =>
        readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line.split(" ").includes(command)),
    };
  };

  describe(`a commit by ${committer.name}`, () => {
    it("R-13 L-01 has the user's identity, and is refused when git knows none", async () => {
      const scene = await newScene();
      git(scene.root, "config", "--unset", "user.email");
      git(scene.root, "config", "user.useConfigOnly", "true");
      expect(await scene.commit()).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/user\.email/),
      });
      expect(scene.commits()).toBe(1);
      git(scene.root, "config", "user.email", "grace@example.org");
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(git(scene.root, "log", "-1", "--format=%an <%ae> %cn <%ce>")).toBe(
        "Grace <grace@example.org> Grace <grace@example.org>",
      );
    });

    it.each([
      ["without a value, which git takes for true", "\tgpgsign", true],
      ["a number", "\tgpgsign = 2", true],
      ["off", "\tgpgsign = off", false],
    ])("R-13 L-01 is signed as commit.gpgSign says: %s", async (_, line, isSigned) => {
      const scene = await newScene();
      git(scene.root, "config", "gpg.program", fakeGpg(scene.folder));
      appendFileSync(join(scene.root, ".git/config"), `[commit]\n${line}\n`);
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(/^gpgsig /m.test(git(scene.root, "cat-file", "commit", "HEAD"))).toBe(isSigned);
    });

    it("R-13 L-01 is refused when git cannot read whether to sign or its program fails, and signed when it works", async () => {
      const scene = await newScene();
      const failing = join(scene.folder, "failing-gpg");
      program(failing, "cat >/dev/null; exit 2");
      git(scene.root, "config", "gpg.program", failing);
      const settings = join(scene.root, ".git/config");
      const before = readFileSync(settings);
      for (const [value, reason] of [
        ["perhaps", /gpgsign/],
        ["true", /cannot be signed/],
      ] as const) {
        writeFileSync(settings, `${before.toString()}[commit]\n\tgpgsign = ${value}\n`);
        expect(await scene.commit()).toMatchObject({
          ok: false,
          reason: expect.stringMatching(reason),
        });
        // Git itself reads no setting of this repository while one is broken.
        writeFileSync(settings, before);
        expect(scene.commits()).toBe(1);
      }
      git(scene.root, "config", "gpg.program", fakeGpg(scene.folder));
      git(scene.root, "config", "commit.gpgSign", "true");
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(git(scene.root, "cat-file", "commit", "HEAD")).toMatch(/^gpgsig /m);
    });

    it("R-13 R-01 L-01 L-02 is refused when any hook refuses or leaves no message, with what it says, and leaves nothing of its own", async () => {
      const scene = await newScene();
      const friday = "echo not on a Friday >&2; exit 1";
      const only = `[ "$1" = prepared ] && grep -q refs/heads/main && exit 1; exit 0`;
      for (const [name, text, reason] of [
        ["pre-commit", friday, /pre-commit hook refused[^]*not on a Friday/],
        ["prepare-commit-msg", friday, /prepare-commit-msg hook refused[^]*not on a Friday/],
        ["commit-msg", friday, /commit-msg hook refused[^]*not on a Friday/],
        ["commit-msg", `: >"$1"`, /message empty/],
        ["reference-transaction", only, /hook/],
      ] as const) {
        scene.hook(name, text);
        expect(await scene.commit(), name).toMatchObject({
          ok: false,
          reason: expect.stringMatching(reason),
        });
        expect(scene.commits(), name).toBe(1);
        expect(ownFiles(scene.root), name).toEqual([]);
        rmSync(join(scene.root, ".git/hooks", name));
      }
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(scene.commits()).toBe(2);
      expect(ownFiles(scene.root)).toEqual([]);
    });

    it("R-13 L-01 asks git for hooks that only its settings define", async () => {
      const scene = await newScene();
      git(scene.root, "config", "hook.lint.event", "pre-commit");
      git(scene.root, "config", "hook.lint.command", "true");
      expect(await scene.commit()).toMatchObject({ ok: true });
      for (const name of ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]) {
        expect(scene.started("hook").filter((line) => line.includes(` ${name}`))).toHaveLength(1);
      }
    });

    it("R-13 L-01 N-02 hooks are told the actor, get no variables that change programs, and git as the user has it; post-commit sees the branch; all is durable", async () => {
      const scene = await newScene({
        LD_PRELOAD: "/nowhere.so",
        NODE_OPTIONS: "--max-old-space-size=4000",
        DYLD_INSERT_LIBRARIES: "/nowhere",
        GIT_DIR: "/nowhere",
        GIT_CONFIG_PARAMETERS: "'core.hooksPath'='/nowhere'",
        LC_ALL: "de_DE.UTF-8",
        LANGUAGE: "de",
      });
      const [seen, found] = [join(scene.folder, "seen"), join(scene.folder, "found")];
      const after = join(scene.folder, "after");
      scene.hook("pre-commit", `env >${seen}; git ls-files -- '*.txt' >${found}`);
      scene.hook("post-commit", `git rev-parse HEAD >${after}`);
      expect(await scene.commit()).toMatchObject({ ok: true });
      const variables = new Map(
        readFileSync(seen, "utf8")
          .split("\n")
          .map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]),
      );
      for (const name of ["LD_PRELOAD", "NODE_OPTIONS", "DYLD_INSERT_LIBRARIES"]) {
        expect(variables.has(name), name).toBe(false);
      }
      expect(variables.get("HEADGATE_ACTOR")).toEqual(
        typeof scene.actor === "string" ? scene.actor : expect.stringMatching(scene.actor),
      );
      expect(variables.get("LC_ALL")).toBe("de_DE.UTF-8");
      expect(variables.get("GIT_EDITOR")).toBe(":");
      expect(readFileSync(found, "utf8")).toContain("a.txt");
      expect(readFileSync(after, "utf8").trim()).toBe(git(scene.root, "rev-parse", "HEAD"));
      for (const command of ["commit-tree", "write-tree", "update-ref"]) {
        const lines = scene.started(command);
        expect(lines.length, command).toBeGreaterThan(0);
        for (const line of lines) {
          expect(line).toMatch(/-c core\.fsync=(?:all|objects,reference) /);
        }
      }
    });

    it("R-13 L-02 keeps its trailers when a commit-msg hook writes another message", async () => {
      const scene = await newScene();
      scene.hook("commit-msg", `echo 'Ticket 7' >"$1"`);
      expect(await scene.commit()).toMatchObject({ ok: true });
      const message = git(scene.root, "log", "-1", "--format=%B");
      expect(message).toMatch(/^Ticket 7\n/);
      expect(message).toMatch(scene.trailer);
    });

    it("R-01 L-01 never takes another commit off the branch that comes in between", async () => {
      const scene = await newScene();
      const once = join(scene.folder, "once");
      scene.hook(
        "commit-msg",
        `[ -e ${once} ] && exit 0; : >${once}
unset GIT_INDEX_FILE
other=$(git commit-tree -p HEAD -m Other HEAD^{tree}) && git update-ref refs/heads/main $other`,
      );
      const { ok } = await scene.commit();
      expect(ok).toBe(committer.afterRace === "on top");
      const subjects = git(scene.root, "log", "--format=%s").split("\n");
      expect(subjects.at(-1)).toBe("One");
      expect(subjects.at(-2)).toBe("Other");
      expect(subjects).toHaveLength(committer.afterRace === "on top" ? 3 : 2);
    });

    it("R-02 L-01 the user's index learns of the commit, and other staged work stays staged", async () => {
      const scene = await newScene();
      put(join(scene.root, "staged.txt"), "mine\n");
      put(join(scene.root, "a.txt"), "mine too\n");
      git(scene.root, "add", "staged.txt", "a.txt");
      put(join(scene.root, "a.txt"), "and more\n");
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(git(scene.root, "diff", "--cached", "--name-status")).toBe("M\ta.txt\nA\tstaged.txt");
      expect(git(scene.root, "show", ":a.txt")).toBe("mine too");
      expect(git(scene.root, "show", "--name-only", "--format=")).toBe(scene.path);
      expect(git(scene.root, "status", "--porcelain", "--", scene.path)).toBe("");
    });

    it("R-02 L-01 an index.lock of another git is left alone, and the commit is made", async () => {
      const scene = await newScene();
      const lock = put(join(scene.root, ".git/index.lock"), "another's");
      expect(await scene.commit()).toMatchObject({ ok: true });
      expect(scene.commits()).toBe(2);
      expect(readFileSync(lock, "utf8")).toBe("another's");
    });
  });
};

/** Indexes, messages and locks that a commit of ours would have left. */
const ownFiles = (root: string): string[] => {
  const patterns = [":(glob)**/index-*", ":(glob)**/message-*"];
  const inTree = git(root, "ls-files", "--others", "--", ...patterns).split("\n");
  const inGit = readdirSync(join(root, ".git"));
  return [
    ...inTree.filter((path) => path !== ""),
    ...inGit.filter((name) => /^(?:index|message|headgate-making)-|\.lock$/.test(name)),
  ];
};

/** A git before the real one on PATH, which writes down how it is started. */
const loggingGit = (folder: string, log: string): string => {
  const real = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((place) => join(place, "git"))
    .find((path) => existsSync(path));
  program(join(folder, "bin/git"), `echo "$*" >>${log}; exec ${real} "$@"`);
  put(log, "");
  return join(folder, "bin");
};

const fakeGpg = (folder: string): string => {
  const path = join(folder, "gpg");
  program(
    path,
    `cat >/dev/null
printf '\\n[GNUPG:] SIG_CREATED D 1 8 00 0 0\\n' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nfake\\n-----END PGP SIGNATURE-----\\n'`,
  );
  return path;
};

const program = (path: string, text: string): void => {
  put(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
};
