// The list of everything that the package ships or installs, in CycloneDX 1.6: packages of the lock file that
// are needed to run, those whose code is inside our bundles, and the grammars. No times and no addresses, so
// that the same sources give the same bytes.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Parts of packages that are only needed to build; they are inside the bundles. */
const bundledForUse = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "@valibot/to-json-schema",
  "preact",
  "uplot",
  "zod",
];

export function makeSbom(root) {
  const read = (name) => JSON.parse(readFileSync(resolve(root, name), "utf8"));
  const { name, version, license } = read("package.json");
  const installed = Object.entries(read("package-lock.json").packages).flatMap(([path, one]) => {
    const at = path.lastIndexOf("node_modules/");
    const title = path.slice(at + "node_modules/".length);
    const isUsed = at >= 0 && (one.dev !== true || bundledForUse.includes(title));
    return isUsed ? [component(title, one)] : [];
  });
  const grammars = read("grammars/grammars.json").map((one) => ({
    ...component(one.package, one),
    "bom-ref": `grammar:${one.grammar}`,
    hashes: [{ alg: "SHA-256", content: one.sha256 }],
    description: `grammars/${one.grammar}.wasm`,
  }));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { ...component(name, { version, license }), type: "application" },
    },
    components: [...installed, ...grammars],
  };
}

const component = (name, { version, license, integrity }) => ({
  type: "library",
  "bom-ref": `pkg:npm/${name}@${version}`,
  name,
  version,
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  ...(license && { licenses: [licenceOf(license)] }),
  ...(integrity && { hashes: integrity.split(" ").map(hashOf) }),
});

/** One licence by its id, several as an expression. */
const licenceOf = (text) =>
  /^[A-Za-z0-9.-]+$/.test(text) ? { license: { id: text } } : { expression: text };

const hashOf = (text) => {
  const [algorithm, base64] = text.split("-");
  return {
    alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
    content: Buffer.from(base64, "base64").toString("hex"),
  };
};
