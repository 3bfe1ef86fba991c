// Packs the package, installs the tarball into an empty folder and uses it there as a stranger would.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmCommand } from "./setup/packages.mjs";
import { root } from "./setup/step.mjs";

const folder = mkdtempSync(join(tmpdir(), "headgate-smoke-"));
try {
  const [npm, npmArgs] = npmCommand(process.execPath);
  const runNpm = (args, cwd) =>
    execFileSync(npm, [...npmArgs, ...args], { cwd, encoding: "utf8", stdio: "pipe" });

  runNpm(["pack", "--silent", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}\n');
  runNpm(["install", "--ignore-scripts", "--no-audit", "--no-fund", join(folder, tarball)], folder);

  const inside = (name) => readFileSync(join(folder, "node_modules/headgate", name), "utf8");
  const listed = JSON.parse(inside("dist/sbom.cdx.json")).components.length;
  if (listed < 40) throw new Error(`the list of parts names only ${listed}`);
  inside("grammars/LICENSES.txt");

  const repo = join(folder, "project");
  mkdirSync(repo);
  const bin = join(folder, "node_modules/headgate/bin/headgate.js");
  const headgate = (args, input = "") => {
    const run = spawnSync(process.execPath, [bin, ...args], { cwd: repo, encoding: "utf8", input });
    console.log(`$ headgate ${args.join(" ")}  → ${run.status}`);
    process.stdout.write(run.stdout.replace(/^/gm, "  ").trimEnd() + "\n");
    if (run.status !== 0) throw new Error(`headgate ${args.join(" ")} failed: ${run.stderr}`);
    return run.stdout;
  };
  const expect = (condition, what) => {
    if (!condition) throw new Error(`expected ${what}`);
  };

  expect(/^\d+\.\d+\.\d+$/.test(headgate(["--version"]).trim()), "a version number");
  expect(headgate(["--help"]).includes("events"), "help that lists the commands");
  expect(JSON.parse(headgate(["status", "--json"])).repository.kind === "folder", "a status");
  headgate(["state", "write", "notes.json"], '{"tasks": 1}\n');
  headgate(["state", "set", "notes.json", "tasks", "2", "--json-value"]);
  headgate(["state", "check", "."]);
  headgate(["events", "--json"]);

  writeFileSync(
    join(folder, "library.js"),
    `import { openHeadgate, writeFileAtomic, HeadgateError, errorCodes } from "headgate";
await writeFileAtomic("made-by-library.txt", "hello\\n");
const headgate = await openHeadgate({ repo: "." });
if ((await headgate.events.page({})).cursor !== 0) throw new Error("expected an empty log");
await headgate.close();
if (!(new HeadgateError("USAGE", "x") instanceof Error) || !errorCodes.USAGE) throw new Error("errors");
console.log("library works");
`,
  );
  const library = spawnSync(process.execPath, [join(folder, "library.js")], {
    cwd: repo,
    encoding: "utf8",
  });
  if (library.status !== 0) throw new Error(`library example failed: ${library.stderr}`);
  process.stdout.write(`  ${library.stdout}`);
  console.log("smoke: the packed tarball works in an empty folder");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
