import type { Node } from "../node.ts";
import type { Hit, StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

export const lockReleasedEarly: StaticRule = {
  name: "lock-released-early",
  severity: "P3",
  kind: "concurrency",
  languages: ["python", "go"],
  needs: /lock|mutex/i,
  skipsTests: true,
  why: "What was read under the lock may be old when it is written without it: two callers read the same value and the second write takes back the first.",
  fix: "Keep the lock until the dependent write is done, or take it again and read again.",
  check: (file) => (file.family === "go" ? go(file) : python(file)),
};

const title = (field: string): string =>
  `\`${field}\` is read under the lock and written after its release`;

/** A field that is read between Lock and Unlock and assigned after the last Unlock of the same function. */
const go = function* (file: SourceFile): Generator<Hit> {
  for (const call of file.calls) {
    if (!/^(Unlock|RUnlock)$/.test(call.name) || call.node.parent?.kind === "defer_statement")
      continue;
    const scope = file.functionOf(call.node);
    const block = call.node.around("block");
    // Only the straight way through the function: a lock released on a side path is another story.
    if (!block || block.parent !== scope) continue;
    const others = file.callsWithin(scope);
    const lock = others
      .filter(
        (one) =>
          /^R?Lock$/.test(one.name) &&
          one.receiver === call.receiver &&
          one.node.to < call.node.from,
      )
      .at(-1);
    if (!lock || others.some((one) => /^R?Lock$/.test(one.name) && one.node.from > call.node.to))
      continue;
    const owner = call.receiver.split(".")[0] ?? "";
    const read = fieldsRead(scope, lock.node.to, call.node.from, owner);
    for (const node of scope.below("assignment_statement")) {
      const left = node.child("left")?.text ?? "";
      if (
        node.from > call.node.to &&
        read.has(left) &&
        !isReset(node) &&
        file.functionOf(node) === scope
      ) {
        yield { node, title: title(left) };
        break;
      }
    }
  }
};

/** Thrown away, not derived from what was read. */
const isReset = (node: Node): boolean => /^(None|nil|null)$/.test(node.child("right")?.text ?? "");

const fieldsRead = (scope: Node, from: number, to: number, owner: string): ReadonlySet<string> =>
  new Set(
    scope
      .below("selector_expression", "attribute")
      .filter((node) => node.from >= from && node.to <= to && node.text.startsWith(`${owner}.`))
      .filter(
        (node) =>
          node.parent?.field !== "left" && node.field !== "left" && node.field !== "function",
      )
      .map(({ text }) => text),
  );

const python = function* (file: SourceFile): Generator<Hit> {
  for (const held of file.of("with_statement")) {
    const head = held.text.slice(0, held.text.indexOf(":"));
    if (!/^with self\.\w*(lock|mutex)\w*$/i.test(head)) continue;
    const scope = file.functionOf(held);
    if (scope === file.root || /__init__/.test(scope.child("name")?.text ?? "")) continue;
    const read = fieldsRead(scope, held.from + head.length, held.to, "self");
    for (const node of scope.below("assignment", "augmented_assignment")) {
      const left = node.child("left")?.text ?? "";
      if (
        node.from <= held.to ||
        !read.has(left) ||
        isReset(node) ||
        file.functionOf(node) !== scope
      )
        continue;
      const inner = node.around("with_statement");
      if (inner && /lock|mutex|cond/i.test(inner.text.split("\n")[0] ?? "")) continue;
      if (held.parent !== node.parent?.parent) continue;
      yield { node, title: title(left) };
      break;
    }
  }
};
