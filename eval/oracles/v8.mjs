// V8's word on a source: one JSON line in, one out. Run with --experimental-vm-modules.
import { createInterface } from "node:readline";
import vm from "node:vm";

const tries = {
  module: (text) => void new vm.SourceTextModule(text, { identifier: "source" }),
  commonjs: (text) =>
    void vm.compileFunction(text, ["exports", "require", "module", "__filename", "__dirname"]),
  script: (text) => void new vm.Script(text),
};
const isValid = (kind, text) => {
  try {
    tries[kind](text);
    return true;
  } catch {
    return false;
  }
};
for await (const line of createInterface({ input: process.stdin })) {
  const { content, kinds } = JSON.parse(line);
  const text = Buffer.from(content, "base64")
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .replace(/^#!.*/, "");
  console.log(JSON.stringify(kinds.some((kind) => isValid(kind, text))));
}
