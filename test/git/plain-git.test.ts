import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askGit } from "../../src/git/ask-git.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles as files } from "../../src/base/files.ts";
import { readPlainGitSettings } from "../../src/git/plain-settings.ts";
import { readPlainGit } from "../../src/git/plain-git.ts";
import { systemProcesses as processes } from "../../src/base/processes.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const environment = systemEnvironment();
const plain = (holder: string) => readPlainGit(holder, environment, files);
const asked = (holder: string) => askGit(holder, { environment, files, processes });

const repository = (): string => makeRepository(join(temporaryFolder(), "repo"));
const config = (root: string, text: string) => appendFileSync(join(root, ".git/config"), text);

/** Each makes a repository and returns the folder with its `.git`. */
const ordinary: Record<string, () => string> = {
  "a new repository": repository,
  "one with remotes and branches": () => {
    const root = repository();
    git(root, "remote", "add", "origin", "https://example.org/team/app.git");
    git(root, "remote", "add", "fork.of-mine", "git@example.org:me/app.git");
    git(root, "config", "--add", "remote.origin.url", "ssh://git@example.org/second");
    git(root, "checkout", "--quiet", "-b", "feature/some.thing_else-1");
    return root;
  },
  "a detached commit": () => {
    const root = repository();
    git(root, "checkout", "--quiet", "--detach");
    return root;
  },
  "settings with comments and other sections": () => {
    const root = repository();
    config(
      root,
      '# mine\n; too\n\n[User]\n\tName = Ada Lovelace\n[branch "main"]\n\tremote = x\n[remote]\n\turl = y\n',
    );
    return root;
  },
  "a linked worktree": () => {
    const root = repository();
    git(root, "remote", "add", "origin", "https://example.org/team/app.git");
    git(root, "worktree", "add", "--quiet", join(root, "../linked"));
    return join(root, "../linked");
  },
};

const questionable: Record<string, () => string> = {
  "a submodule": () => {
    const parent = temporaryFolder();
    const library = makeRepository(join(parent, "library"));
    const root = makeRepository(join(parent, "repo"));
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
    return join(root, "lib");
  },
  "a separate git directory": () => {
    const parent = temporaryFolder();
    git(parent, "init", "--quiet", `--separate-git-dir=${join(parent, "data")}`, "work");
    return join(parent, "work");
  },
  "a bare repository called .git": () => {
    const parent = temporaryFolder();
    git(parent, "clone", "--quiet", "--bare", repository(), join(parent, ".git"));
    return parent;
  },
  "a worktree of a bare repository": () => {
    const parent = temporaryFolder();
    git(parent, "clone", "--quiet", "--bare", repository(), join(parent, "store.git"));
    git(join(parent, "store.git"), "worktree", "add", "--quiet", join(parent, "one"));
    return join(parent, "one");
  },
  "a .git that is a link": () => {
    const root = repository();
    renameSync(join(root, ".git"), join(root, "../elsewhere"));
    symlinkSync("../elsewhere", join(root, ".git"));
    return root;
  },
  "a .git file to another repository's directory": () => {
    const root = repository();
    put(join(root, "../other/.git"), `gitdir: ${root}/.git\n`);
    return join(root, "../other");
  },
  "a worktree that was moved by hand": () => {
    const root = repository();
    git(root, "worktree", "add", "--quiet", join(root, "../linked"));
    renameSync(join(root, "../linked"), join(root, "../moved"));
    return join(root, "../moved");
  },
  "a planted common directory": () => {
    const root = repository();
    const other = repository();
    put(join(root, ".git/commondir"), `${other}/.git\n`);
    return root;
  },
  "another folder as the worktree": () => {
    const root = repository();
    git(root, "config", "core.worktree", "..");
    return root;
  },
  "settings of their own for each worktree": () => {
    const root = repository();
    git(root, "config", "extensions.worktreeConfig", "true");
    git(root, "config", "--worktree", "core.bare", "false");
    return root;
  },
  "settings for worktrees that are not switched on": () => {
    const root = repository();
    put(join(root, ".git/config.worktree"), "[core]\n\tbare = true\n");
    return root;
  },
  "included settings": () => {
    const root = repository();
    put(join(root, ".git/more"), '[remote "origin"]\n\turl = https://example.org/x\n');
    config(root, "[include]\n\tpath = more\n");
    return root;
  },
  "a quoted value": () => {
    const root = repository();
    git(root, "config", "remote.origin.url", "https://example.org/a;b#c");
    return root;
  },
  "a value without a key's equals sign": () => {
    const root = repository();
    config(root, "[core]\n\tbare\n");
    return root;
  },
  "a branch with unusual letters": () => {
    const root = repository();
    git(root, "checkout", "--quiet", "-b", "grün");
    return root;
  },
  "objects that may not be entered": () => {
    const root = repository();
    chmodSync(join(root, ".git/objects"), 0o600);
    return root;
  },
};

describe("a repository's files instead of git", () => {
  it.each(Object.entries(ordinary))("C-12 tell the same about %s", async (_name, make) => {
    const holder = files.realPath(make());
    const found = plain(holder);
    expect(found).toBeDefined();
    expect(found).toEqual(await asked(holder));
  });

  it.each(Object.entries(questionable))("C-12 A16 leave %s to git", (_name, make) => {
    expect(plain(files.realPath(make()))).toBeUndefined();
  });

  it("A16 leave what is no repository for git to git", async () => {
    const broken: [string, (root: string) => void][] = [
      ["no HEAD", (root) => rmSync(join(root, ".git/HEAD"))],
      ["an empty HEAD", (root) => writeFileSync(join(root, ".git/HEAD"), "")],
      ["a HEAD outside refs", (root) => writeFileSync(join(root, ".git/HEAD"), "ref: ../x\n")],
      ["no objects", (root) => rmSync(join(root, ".git/objects"), { recursive: true })],
      ["no refs", (root) => rmSync(join(root, ".git/refs"), { recursive: true })],
      ["no settings", (root) => rmSync(join(root, ".git/config"))],
      ["a newer format", (root) => config(root, "[core]\n\trepositoryformatversion = 9\n")],
      ["an extension", (root) => config(root, "[extensions]\n\tnew = true\n")],
      ["huge settings", (root) => config(root, `[x]\n${"\ty = z\n".repeat(50_000)}`)],
    ];
    for (const [name, damage] of broken) {
      const root = repository();
      damage(root);
      expect(plain(root), name).toBeUndefined();
    }
    const parent = join(temporaryFolder(), "a\nb");
    mkdirSync(parent);
    expect(plain(makeRepository(join(parent, "repo")))).toBeUndefined();
  });

  it("A16 are not read where no git is installed or users have no numbers", () => {
    const root = repository();
    const { user, ...others } = environment;
    expect(user).toBe(process.geteuid?.());
    expect(readPlainGit(root, others, files)).toBeUndefined();
    const variables = { PATH: join(root, "empty") };
    expect(readPlainGit(root, { ...environment, variables }, files)).toBeUndefined();
  });
});

describeWith({ root: true, platforms: ["linux"] }, "what belongs to another user", () => {
  it.each(["", ".git", ".git/objects", ".git/refs"])("A16 is left to git: %s", (name) => {
    const root = repository();
    chownSync(join(root, name), 12_345, 12_345);
    expect(plain(root)).toBeUndefined();
  });

  it.each(["../linked/.git", "../linked", ".git/worktrees/linked", ".git"])(
    "A16 is left to git from a worktree: %s",
    (name) => {
      const root = repository();
      git(root, "worktree", "add", "--quiet", join(root, "../linked"));
      expect(plain(join(root, "../linked").replace("repo/../", ""))).toBeDefined();
      chownSync(join(root, name), 12_345, 12_345);
      expect(plain(join(root, "../linked").replace("repo/../", ""))).toBeUndefined();
    },
  );
});

describe("settings read without git", () => {
  const place = fc.constantFrom(
    ...["[core]", '[remote "origin"]', '[remote "a.b c"]', "[Remote]", '[remote  "x"]', "[core] "],
    ...[
      '[remote "a\\"b"]',
      "[ core]",
      "[remote.origin]",
      "[a-b]",
      '[core "X"]',
      "[]",
      "[ä]",
      "\t[x]",
    ],
  );
  const key = fc.constantFrom(
    "url",
    "URL",
    "bare",
    "work-tree",
    "9x",
    "_x",
    "x y",
    "",
    "ä",
    " url ",
  );
  const piece = fc.constantFrom(
    ...[
      "a",
      " ",
      "  ",
      "\t",
      '"',
      "\\",
      "\\n",
      "\\\n",
      "#",
      ";",
      "=",
      "\r",
      "\0",
      "ä",
      "\u00a0",
      "\v",
      "\x7f",
    ],
    ...["https://example.org/x", "true", "git@h:p", "\ufeff", "[", "]", "'", "\u2028", "\b"],
  );
  const value = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
  const line = fc.oneof(
    { arbitrary: place, weight: 3 },
    { arbitrary: fc.tuple(key, fc.constantFrom("=", " = ", "\t=\t", ""), value), weight: 5 },
    { arbitrary: fc.constantFrom("", "# note", "\t; note \\", "junk", "\0"), weight: 1 },
  );
  const text = fc
    .array(line, { maxLength: 6 })
    .map((lines) => lines.map((one) => (Array.isArray(one) ? one.join("") : one)).join("\n"));

  /** False when they are left to git. */
  const isAsGitReads = (content: string, file: string): boolean => {
    const found = readPlainGitSettings(content);
    if (found === undefined) return false;
    writeFileSync(file, content);
    const args = ["config", "-z", "--file", file, "--list"];
    const entries = execFileSync("git", args, { encoding: "utf8" }).split("\0").slice(0, -1);
    expect(found.map(([name, given]) => `${name}\n${given}`)).toEqual(entries);
    return true;
  };

  it("C-12 A16 are what git reads, or are left to git", () => {
    const file = join(temporaryFolder(), "config");
    let judged = 0;
    fc.assert(
      fc.property(text, (content) => {
        if (isAsGitReads(content, file)) judged += 1;
      }),
      { numRuns: 1000 },
    );
    expect(judged).toBeGreaterThan(20);
  });

  it("C-12 A16 are left to git with a special character anywhere in a value", () => {
    const file = join(temporaryFolder(), "config");
    const judged = (value: string) => isAsGitReads(`[core]\n\tx = ${value}\n`, file);
    for (const special of ['"', "\\", "#", ";", "\t", "\r", "\0", "\v", "\x7f"]) {
      for (const value of [`${special}a`, `a${special}b`, `a${special}`]) {
        expect(judged(value), JSON.stringify(value)).toBe(false);
      }
    }
    for (const value of ["a", "a b", "ä", "https://x/y?z=1&a=[b]", "'a'"]) {
      expect(judged(value), value).toBe(true);
    }
  });

  it("C-12 of a new repository are all read", () => {
    const written = readFileSync(join(repository(), ".git/config"), "utf8");
    expect(readPlainGitSettings(written)?.map(([name]) => name)).toContain("core.bare");
  });
});
