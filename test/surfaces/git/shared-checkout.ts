/** A hooked repository in which several sessions have uncommitted lines, and what their commits hold. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { systemFiles } from "../../../src/base/files.ts";
import { parseActor } from "../../../src/claims/index.ts";
import { openHeadgate } from "../../../src/compose.ts";
import { readContent } from "../../../src/state/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { serveFolder } from "../../helpers/served-folders.ts";
import { type Done, environmentFor, gitAs, hookedRepository, write } from "./hooked-repository.ts";

export const session = (name: string): string => `claude:${name}`;

export interface SharedCheckout {
  readonly folder: string;
  /** A session writes a file as its hooks let it; undefined deletes it. */
  edit(who: string, path: string, after: string | Uint8Array | undefined): Promise<void>;
  /** In the file as it is, one text for another. */
  swap(who: string, path: string, from: string, to: string): Promise<void>;
  /** The same as a client's edit tool does it, which looks at the file again when it writes. */
  swapBusy(who: string, path: string, from: string, to: string): Promise<void>;
  /** Git in the name of a session, with the hooks. */
  git(who: string, ...args: string[]): Done;
  /** `git add -A && git commit`. */
  commitAll(who: string): Done;
  /** A file in the last commit; undefined: it is not in it. */
  head(path: string): string | undefined;
  /** Whose uncommitted lines are known in a file. */
  authors(path: string): Promise<string[]>;
  end(who: string): Promise<void>;
  /** Notices that wait for a session. */
  notices(who: string): Promise<string[]>;
}

export const sharedCheckout = async (
  files: Readonly<Record<string, string | Uint8Array>> = {},
  prepare: (folder: string) => void = () => {},
): Promise<SharedCheckout> => {
  const folder = await hookedRepository((place) => {
    prepare(place);
    for (const [path, content] of Object.entries(files)) write(place, path, content);
    git(place, "add", "--all");
    git(place, "commit", "--quiet", "--allow-empty", "--message", "Base");
  });
  return openCheckout(folder);
};

export const openCheckout = async (folder: string): Promise<SharedCheckout> => {
  const headgate = await openHeadgate({
    ...{ repo: folder, actor: "test", environment: environmentFor(folder) },
  });
  onTestFinished(() => headgate.close());
  const inTree = (path: string) => readContent(join(folder, path), systemFiles);
  let count = 0;
  const edit: SharedCheckout["edit"] = async (who, path, after) => {
    const by = {
      actor: parseActor(session(who)),
      kind: "edit",
      use: `use-${(count += 1)}`,
    } as const;
    const bytes = typeof after === "string" ? Buffer.from(after) : after;
    const answer = await headgate.lines.ask([{ path, before: inTree(path), after: bytes }], by);
    expect(answer).toMatchObject({ ok: true });
    if (bytes) write(folder, path, bytes);
    else rmSync(join(folder, path));
    await headgate.lines.note([path], by);
  };
  const swapBusy: SharedCheckout["swapBusy"] = async (who, path, from, to) => {
    const by = {
      actor: parseActor(session(who)),
      kind: "edit",
      use: `use-${(count += 1)}`,
    } as const;
    const put = (text: string): Buffer => Buffer.from(text.replace(from, () => to));
    for (;;) {
      const before = inTree(path) ?? Buffer.alloc(0);
      const after = put(before.toString("utf8"));
      const answer = await headgate.lines.ask([{ path, before, after, isEdit: true }], by);
      // Its hook waits for a write of another that is under way.
      if (answer.ok) break;
      await setTimeout(5);
    }
    // In one step: a commit that looks in the middle of a write would take the rest for gone.
    const made = join(folder, "..", by.use);
    writeFileSync(made, put(inTree(path)?.toString("utf8") ?? ""));
    renameSync(made, join(folder, path));
    await headgate.lines.note([path], by);
  };
  const asGit: SharedCheckout["git"] = (who, ...args) => gitAs(session(who), folder, args);
  return {
    folder,
    edit,
    swap: async (who, path, from, to) => {
      const text = inTree(path)?.toString("utf8") ?? "";
      expect(text).toContain(from);
      await edit(
        who,
        path,
        text.replace(from, () => to),
      );
    },
    swapBusy,
    notices: async (who) => {
      const { notices } = await headgate.as(session(who)).inbox.list();
      return notices.map(({ text }) => text);
    },
    git: asGit,
    commitAll: (who) => {
      const added = asGit(who, "add", "--all");
      return added.code === 0 ? asGit(who, "commit", "--quiet", "-m", `By ${who}`) : added;
    },
    head: (path) => {
      const done = gitAs("test", folder, ["cat-file", "blob", `HEAD:${path}`]);
      return done.code === 0 ? done.stdout : undefined;
    },
    authors: async (path) => {
      const known = await headgate.lines.record(path);
      return [...new Set((known?.weave.edits ?? []).map(({ actor }) => actor))];
    },
    end: (who) =>
      headgate.lines.heard({ actor: parseActor(session(who)), kind: "edit" }, { isEnd: true }),
  };
};

/** What git says is staged and what is not, as `git status` writes it. */
export const status = ({ folder }: SharedCheckout): string =>
  gitAs("test", folder, ["status", "--porcelain", "--untracked-files=all"]).stdout;

/** The same with a server for the hooks to ask: a commit then costs a quarter. */
export const servedCheckout = async (
  ...parts: Parameters<typeof sharedCheckout>
): Promise<SharedCheckout> => {
  const place = await sharedCheckout(...parts);
  await serveFolder(place.folder);
  return place;
};
