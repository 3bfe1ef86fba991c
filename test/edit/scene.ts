import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../src/base/ids.ts";
import { type ApplyOptions, applyChanges } from "../../src/edit/apply.ts";
import type { FileChange } from "../../src/edit/types.ts";
import { stateFolder } from "../helpers/state-folder.ts";

/** Every file below a folder with its mode and content, temporaries included, the journal left out. */
export const treeOf = (root: string, folder = ""): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).toSorted()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (path === ".headgate") continue;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) {
      found[`${path}/`] = "folder";
      Object.assign(found, treeOf(root, path));
    } else if (stats.isSymbolicLink()) found[path] = `link to ${readlinkSync(join(root, path))}`;
    else {
      const mode = (stats.mode & 0o7777).toString(8);
      found[path] = `${mode} ${stats.nlink} ${readFileSync(join(root, path)).toString("base64")}`;
    }
  }
  return found;
};

export const dirOf = (root: string): string => join(stateFolder(root), "edits");

const binary = Buffer.from([0, 255, 1, 254, 13, 10, 0]);

/** The tree before the edit of five files. */
export const layOut = (root: string): void => {
  const put = (path: string, content: string | Buffer, mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), mode);
  };
  put("src/app.ts", "export const a = 1;\r\n", 0o755);
  put("src/data.bin", binary, 0o600);
  put("docs/old.md", "# Old\n", 0o640);
  put("other.txt", "untouched\n");
};

/** Create, modify and delete mixed, one of them in folders that do not exist. */
export const fiveChanges = (): FileChange[] => [
  {
    path: "new/deep/tool.sh",
    kind: "create",
    before: null,
    after: Buffer.from("#!/bin/sh\n"),
    mode: 0o755,
  },
  {
    path: "src/app.ts",
    kind: "modify",
    before: Buffer.from("export const a = 1;\r\n"),
    after: Buffer.from("export const ä = 2;\r\n"),
  },
  { path: "docs/old.md", kind: "delete", before: Buffer.from("# Old\n"), after: null },
  {
    path: "src/data.bin",
    kind: "modify",
    before: binary,
    after: Buffer.concat([binary, binary]),
    mode: 0o644,
  },
  { path: "src/empty.ts", kind: "create", before: null, after: Buffer.alloc(0), mode: 0o644 },
];

/** What `treeOf` says when all of it was done. */
export const afterFive = (before: Readonly<Record<string, string>>): Record<string, string> => {
  const { "docs/old.md": _gone, ...rest } = before;
  const shown = (mode: string, content: string | Buffer): string =>
    `${mode} 1 ${Buffer.from(content).toString("base64")}`;
  return {
    ...rest,
    "new/": "folder",
    "new/deep/": "folder",
    "new/deep/tool.sh": shown("755", "#!/bin/sh\n"),
    "src/app.ts": shown("755", "export const ä = 2;\r\n"),
    "src/data.bin": shown("644", Buffer.concat([binary, binary])),
    "src/empty.ts": shown("644", ""),
  };
};

export const removeFolder = (path: string): void => rmdirSync(path);

export const applyAt = (
  root: string,
  changes: readonly FileChange[],
  more: Partial<ApplyOptions> = {},
): ReturnType<typeof applyChanges> =>
  applyChanges(changes, {
    root,
    dir: dirOf(root),
    id: newId("edit"),
    actor: "alice",
    removeFolder,
    ...more,
  });

/** A change of one text file as it is now. */
export const modify = (root: string, path: string, after: string): FileChange => ({
  path,
  kind: "modify",
  before: readFileSync(join(root, path)),
  after: Buffer.from(after),
});

/** The records that are open or untold in the journal. */
export const journalOf = (root: string): string[] =>
  ["open", "done"].flatMap((folder) => {
    try {
      return readdirSync(join(dirOf(root), folder)).flatMap((name) =>
        name.startsWith("ed_") ? [`${folder}/${name}`] : [],
      );
    } catch {
      return [];
    }
  });
