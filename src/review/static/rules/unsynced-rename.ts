import type { Call } from "../calls.ts";
import type { StaticRule } from "../rule.ts";
import { assignedBefore } from "../texts.ts";

export const unsyncedRename: StaticRule = {
  name: "unsynced-rename",
  severity: "P2",
  kind: "durability",
  languages: ["python", "script", "go"],
  needs: /\.(rename|replace|Rename|renameSync)\(|\brename(Sync)?\(/,
  skipsTests: true,
  why: "A rename may reach the disk before the data of the new file does: after a power cut the name points to an empty or half-written file, and the old content is gone.",
  fix: "fsync the temporary file before the rename (`os.fsync`, `handle.sync()`, `writeFile(…, {flush: true})`, `f.Sync()`), and the folder after it where the name itself must survive.",
  *check(file) {
    for (const call of file.calls) {
      if (!isRename(call) || call.args.length < 2) continue;
      const scope = file.functionOf(call.node);
      if (/\bf(data)?sync|\.sync\(|\.Sync\(|flush:\s*true/.test(scope.text)) continue;
      const source = call.args[0]?.text ?? "";
      // Put aside, not into place.
      const target = call.args[1]?.text ?? "";
      if (target.includes(source) || /backup|\bbak|old/i.test(target)) continue;
      const isWritten = file.callsWithin(scope).some((one) => {
        if (one.node.from >= call.node.from) return false;
        return (
          writesTo(one, source) || (one.node.parent !== undefined && opensAs(one, source, call))
        );
      });
      if (isWritten)
        yield {
          node: call.node,
          title: "a file that was just written is renamed into place without fsync",
        };
    }

    function opensAs(one: Call, source: string, rename: Call): boolean {
      // `f.Name()` of Go, `tmp.name` of Python: the file behind the name.
      const holder = /^(\w+)\.(Name\(\)|name)$/.exec(source)?.[1];
      if (holder === undefined || !/^(CreateTemp|TempFile|NamedTemporaryFile)$/.test(one.name))
        return false;
      const scope = file.functionOf(rename.node);
      const given = assignedBefore(holder, rename.node, scope);
      if (given) return one.node.isWithin(given);
      const around = one.node.around("with_item", "short_var_declaration", "as_pattern");
      return around !== undefined && new RegExp(`\\b${holder}\\b`).test(around.text);
    }
  },
};

const isRename = (call: Call): boolean =>
  /^((os|fs|fsp|fsPromises|fs\.promises)\.)?(rename|renameSync|Rename)$|^os\.replace$/.test(
    call.callee,
  );

const writesTo = (call: Call, path: string): boolean => {
  if (call.args[0]?.text !== path) return false;
  if (/^(writeFile|writeFileSync|WriteFile|createWriteStream|Create)$/.test(call.name)) return true;
  const mode = (call.args[1] ?? call.named.get("mode"))?.text ?? "";
  return /^(open|io\.open|os\.fdopen|codecs\.open)$/.test(call.callee) && /^['"][wax]/.test(mode);
};
