/** A path, and the head of a file, say who writes it: a program, others, a test. */

const words = (text: string): string[] => text.split(" ");

/** Code of others, kept here for convenience. */
const vendored = new Set(
  words(
    "node_modules vendor vendors vendored third_party third-party thirdparty 3rdparty 3rd-party bower_components jspm_packages Pods Carthage Godeps extern external externals site-packages .venv venv .yarn .git .hg .svn .headgate __pycache__ .gradle .dart_tool .terraform .next .nuxt DerivedData subprojects",
  ),
);
/** The same at the top of a tree only; further down these are ordinary words. */
const vendoredAtTop = new Set(words("deps dist out target"));
/** Built from something else. */
const builtFolders = new Set(words("dist __generated__ generated __snapshots__"));

export const isVendoredFolder = (name: string, isAtTop: boolean): boolean =>
  vendored.has(name) || builtFolders.has(name) || (isAtTop && vendoredAtTop.has(name));

/** Written by a program: bundles, protocol code, lock files, snapshots. */
export const isGeneratedName = (name: string): boolean =>
  (name.indexOf(".") !== name.lastIndexOf(".") || generatedHint.test(name)) &&
  generatedName.test(name);

/** Most names have one dot and none of these. */
const generatedHint = /lock|_pb2|enerated|\.(?:map|snap|sum|tsbuildinfo)$/;

const generatedName =
  /\.min\.(?:js|css|mjs)$|\.pb\.(?:go|cc|h|rs)$|_pb2(?:_grpc)?\.pyi?$|\.pb\w*\.dart$|\.g\.(?:dart|cs)$|\.freezed\.dart$|[._]generated\.|\.Designer\.cs$|^zz_generated|[-.]lock(?:\.json|\.yaml|b)?$|\.snap$|\.map$|\.bundle\.js$|^go\.sum$|\.tsbuildinfo$/;

/** Texts that every project has about itself, whatever it is: they are not its product. */
export const isProjectText = (name: string): boolean => projectText.test(name);

const projectText =
  /^(?:readme|licen[cs]e|copying|notice|changelog|changes|history|news|contributing|code_of_conduct|security|support|authors|contributors|maintainers|governance|codeowners|todo|roadmap|agents|claude|gemini|pull_request_template|issue_template)(?:[-_.][a-z\d]+)*\.(?:md|markdown|rst|adoc|txt)$/i;

/** Tests, fixtures, examples, documentation: code in which a careless way is often the right one. */
export const isTestPath = (path: string): boolean => testPath.test(path);

const testPath =
  /(^|\/)(tests?|testing|test-?data|__tests?__|__mocks__|specs?|e2e|playwright|cypress|integration|fixtures?|examples?|samples?|demos?|mocks?|benchmarks?|bench|docs?)\/|(^|\/)(test_[^/]*|conftest|tests)\.py$|_test\.(py|go|sh)$|[.-](test|spec|bench)\.[cm]?[jt]sx?$|(^|\/)[^/]*[.-]?(tests?|benchmark)\.sh$/i;

/** Lock files, bundles, protocol code, and what was copied in from others. */
export const isForeignName = (path: string): boolean => {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  return (
    isGeneratedName(name) ||
    lockNames.has(name) ||
    // The settings of this program lie beside what it leaves out elsewhere.
    parts.some((folder, at) => folder !== ".headgate" && isVendoredFolder(folder, at === 0))
  );
};

const lockNames = new Set([
  "npm-shrinkwrap.json",
  "Package.resolved",
  "gradle.lockfile",
  "mix.lock",
  "deno.lock",
  "bun.lock",
  ".terraform.lock.hcl",
]);

/** Says at its beginning that a program wrote it. */
export const saysForeign = (text: string): boolean => {
  const head = text.slice(0, 2000);
  return (
    /^.{0,12}\bcode generated\b.{0,200}\bdo not edit\b/im.test(head) ||
    /^\W{0,12}@generated\b/m.test(head)
  );
};

/** Devices that shell commands write to every day. `/dev/tcp` is bash's word for a connection. */
export const isOrdinaryDevice = (path: string): boolean =>
  /^\/dev\/(?:null|zero|full|u?random|tty\w*|console|ptmx|std(?:in|out|err)|(?:fd|pts|tcp|udp)\/.*)$/.test(
    path,
  ) || /^\/proc\/self\/fd\/[012]$/.test(path);
