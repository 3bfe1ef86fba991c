/** Trees of any size for what has to look at all files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    stdio: ["ignore", "pipe", "ignore"],
  });

/** A monorepo of this many packages, each with so many folders of 50 sources. */
export const makeTree = (root: string, packages: number, folders = 20): void => {
  for (let one = 0; one < packages; one += 1) {
    for (let folder = 0; folder < folders; folder += 1) {
      const path = join(root, `packages/p${one}/src/module${folder}`);
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < 50; file += 1) {
        const name = `file${file}.${file % 3 === 0 ? "tsx" : "ts"}`;
        writeFileSync(join(path, name), `export const value${file} = ${file};\n`);
      }
    }
    const manifest = {
      name: `p${one}`,
      dependencies: one % 2 ? { express: "5" } : { "react-dom": "19" },
    };
    writeFileSync(join(root, `packages/p${one}/package.json`), JSON.stringify(manifest));
  }
  const top = { private: true, workspaces: ["packages/*"] };
  writeFileSync(join(root, "package.json"), JSON.stringify(top));
  git(root, "init", "--quiet");
  commitAll(root);
};

const commitAll = (root: string): void => {
  git(root, "add", ".");
  git(root, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "--quiet", "--message", "x");
};
