// Compares the grammars in grammars/ with the packages that they come from, and renews them.
//
//   node scripts/renew-grammars.mjs                        every file is what its package holds
//   node scripts/renew-grammars.mjs tree-sitter-go@0.26.0  takes the files of that version
//
// Files, versions, licences and hashes are in grammars/grammars.json, licence texts in grammars/LICENSES.txt.
// Packages are only unpacked: nothing of them is run.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmCommand } from "./setup/packages.mjs";
import { root } from "./setup/step.mjs";

const folder = join(root, "grammars");
const listPath = join(folder, "grammars.json");
const list = JSON.parse(readFileSync(listPath, "utf8"));
const wanted = new Map(
  process.argv.slice(2).map((text) => {
    const at = text.lastIndexOf("@");
    if (at <= 0)
      throw new Error(`"${text}" is no package with a version, as in tree-sitter-go@0.26.0`);
    return [text.slice(0, at), text.slice(at + 1)];
  }),
);
for (const name of wanted.keys()) {
  if (!list.some((one) => one.package === name)) throw new Error(`no grammar comes from ${name}`);
}

const scratch = mkdtempSync(join(tmpdir(), "headgate-grammars-"));
const problems = [];
const licences = new Map();
try {
  const [npm, npmArgs] = npmCommand(process.execPath);
  const packages = Map.groupBy(list, (one) => one.package);
  for (const [name, grammars] of packages) {
    const version = wanted.get(name) ?? grammars[0].version;
    const place = mkdtempSync(join(scratch, "package-"));
    const args = ["pack", `${name}@${version}`, "--silent", "--pack-destination", place];
    execFileSync(npm, [...npmArgs, ...args], { cwd: place, stdio: "pipe" });
    const [tarball] = readdirSync(place);
    execFileSync("tar", ["-xzf", tarball], { cwd: place });
    const inside = join(
      place,
      readdirSync(place).find((one) => one !== tarball),
    );
    const about = JSON.parse(readFileSync(join(inside, "package.json"), "utf8"));
    const licenceFile = readdirSync(inside).find((one) => /^(un)?licen[cs]e/i.test(one));
    const text = licenceFile ? readFileSync(join(inside, licenceFile), "utf8").trim() : "";
    licences.set(
      `${name} ${version} (${about.license})`,
      text || "The package holds no licence text.",
    );
    for (const grammar of grammars) {
      const path = [grammar.file, `out/${grammar.file}`]
        .map((one) => join(inside, one))
        .find((one) => existsSync(one));
      if (path === undefined) throw new Error(`${name}@${version} holds no ${grammar.file}`);
      const bytes = readFileSync(path);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const isSame = sha256 === grammar.sha256 && about.license === grammar.license;
      if (wanted.has(name)) {
        writeFileSync(join(folder, `${grammar.grammar}.wasm`), bytes);
        Object.assign(grammar, { version, license: about.license, sha256, bytes: bytes.length });
      } else if (!isSame) problems.push(`${grammar.grammar}: not what ${name}@${version} holds`);
      const what = wanted.has(name) ? "renewed" : isSame ? "the same" : "DIFFERS";
      console.log(`${grammar.grammar.padEnd(12)} ${name}@${version}  ${what}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (wanted.size > 0) writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);
const rule = "=".repeat(80);
const texts = [...licences].map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text}\n`);
const licencesPath = join(folder, "LICENSES.txt");
const noted = texts.join("\n");
if (!existsSync(licencesPath) || readFileSync(licencesPath, "utf8") !== noted) {
  writeFileSync(licencesPath, noted);
  console.log("written: grammars/LICENSES.txt");
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
