// Looks at a file's structure, asks the gate, edits through it, and takes the edit back.
import { readFileSync, writeFileSync } from "node:fs";
import { judge, openHeadgate, outline } from "headgate";

const source = "class Cart:\n    def total(self):\n        return 1\n";
writeFileSync("cart.py", source);

const { symbols } = await outline(source, { path: "cart.py" });
console.log(
  symbols.map(({ kind, path, children }) => `${kind} ${path} with ${children.length}`).join(),
);

const twice = `${source}\n    def total(self):\n        return 2\n`;
const { verdict, reasons } = await judge(
  { writes: [{ path: "cart.py", after: twice }] },
  { files: { "cart.py": source } },
);
console.log(verdict, reasons[0]?.message);

const headgate = await openHeadgate({ repo: ".", actor: "build-bot" });
try {
  const result = await headgate.edit.edit({
    operations: [
      { do: "add", file: "cart.py", into: "Cart", code: "def clear(self):\n    pass\n" },
    ],
    reason: "empty the cart",
  });
  if (!result.ok) throw new Error(result.reasons[0]?.message);
  console.log(result.files[0]?.symbols[0]);
  await headgate.edit.undo({ id: result.id });
  console.log(readFileSync("cart.py", "utf8") === source);
} finally {
  await headgate.close();
}
