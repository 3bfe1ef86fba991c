// Fills the "proven by" column of docs/requirements.md from the titles of the tests.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
export const documentPath = resolve(root, "docs/requirements.md");

/** Requirement id → test files whose titles carry it. */
export const provenBy = (): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  const names = readdirSync(resolve(root, "test"), { recursive: true, encoding: "utf8" });
  for (const name of names.filter((one) => one.endsWith(".test.ts")).toSorted()) {
    const text = readFileSync(resolve(root, "test", name), "utf8");
    const titles = text.matchAll(
      /\b(?:it|test|describe|describeWith)\b[^"'`\n]*\(\s*(?:\{[^}]*\},\s*)?(["'`])(.*?)\1/g,
    );
    for (const [, , title = ""] of titles) {
      for (const [id] of title.matchAll(/\b[SCEDAVRLNTPMB]-\d\d\b/g)) {
        const files = found.get(id) ?? [];
        const file = `test/${name.replaceAll("\\", "/")}`;
        if (!files.includes(file)) found.set(id, [...files, file]);
      }
    }
  }
  return found;
};

export const withTests = (text: string): string => {
  const proven = provenBy();
  return text.replace(
    /^\| ([SCEDAVRLNTPMB]-\d\d) \| (.*) \|[^|]*\|$/gm,
    (_row, id: string, must: string) => {
      const files = proven.get(id)?.map((file) => `\`${file}\``) ?? ["open"];
      return `| ${id} | ${must} | ${files.join(", ")} |`;
    },
  );
};

if (import.meta.main) writeFileSync(documentPath, withTests(readFileSync(documentPath, "utf8")));
