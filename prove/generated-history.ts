/** A small history for a first look and for the quick suite: eight commits, most of them in one file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "./git.ts";

const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"] as const;

const shopFile = (changed: number): string =>
  names
    .map((name, index) => {
      const result = index < changed ? `amount * ${index + 2}` : "amount";
      return `/** Price of ${name}. */\nexport function ${name}(amount: number): number {\n  const price = ${result};\n  return price;\n}\n`;
    })
    .join("\n");

export const makeHistory = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main", "--template=");
  const save = (message: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", message);
  };
  const notes = (count: number): string =>
    ["# Notes", "", ...names.slice(0, count).map((name) => `- ${name} costs more`), ""].join("\n");
  save("Begin", { "shop.ts": shopFile(0), "notes.md": notes(0) });
  for (const [index, name] of names.entries()) {
    const test = `import { ${name} } from "./shop.ts";\n\nexport const ${name}Price = ${name}(1);\n`;
    save(`Change ${name}`, {
      "shop.ts": shopFile(index + 1),
      ...(index % 3 === 0 && { [`${name}.ts`]: test }),
      ...(index % 4 === 1 && { "notes.md": notes(index + 1) }),
    });
  }
  return folder;
};

export const withGeneratedHistory = async (use: (repo: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "headgate-prove-history-"));
  try {
    await use(makeHistory(join(folder, "history")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
