/** Code that makes names at run time, about which a look at the text proves nothing. */
import { squeezeBlanks } from "../../base/text.ts";
import type { Family } from "./types.ts";

/** Reading attributes by name is no reason; making them under names that are computed is. */
export const makesNames = (text: string, family: Family): boolean =>
  family === "other" || (family === "python" ? python : script).test(squeezeBlanks(text));

const python =
  /(?<![.\w])exec\s*\(|\bglobals\s*\(|\b(?:locals|vars)\s*\([^)\n]*\)\s*(?:\[|\.(?:update|setdefault))|=\s*(?:locals|vars)\s*\(|\b__dict__\s*(?:=(?!=)|\[[^\]\n]*\]\s*=(?!=)|\.(?:update|setdefault))|=\s*[\w.]+\.__dict__\s*$|\bsetattr\s*\((?!\s*[\w.]+\s*,\s*["']\w+["']\s*,)/m;
/** In brackets and no literal, no well-known symbol. */
const computed = String.raw`\[(?!\s*(?:["'][^"'\n]*["']|\d+|Symbol\.\w+)?\s*\])[^\]\n]*\]`;
const script = new RegExp(
  [
    String.raw`\bnew\s+Proxy\b|\beval\s*\(|\bnew\s+Function\b|\bwith\s*\(`,
    String.raw`\bObject\s*\.\s*(?:fromEntries|setPrototypeOf|defineProperties)`,
    String.raw`\bObject\s*\.\s*assign\s*\(\s*(?:this|[\w$.]*prototype|[A-Z])`,
    String.raw`\b(?:Object|Reflect)\s*\.\s*(?:defineProperty|set)\s*\((?!\s*[\w$.]+\s*,\s*(?:["']|Symbol\.))`,
    String.raw`\b(?:this|prototype|exports|globalThis|window|[A-Z][\w$]*)\s*${computed}\s*=(?!=)`,
    String.raw`(?:^|[{,;])\s*(?:(?:async|get|set|static|readonly)\s+)*\*?\s*${computed}\s*[(:]`,
  ].join("|"),
  "m",
);

/** The same for objects and classes that may be defined in other files. */
export const patchesOthers = (text: string, family: Family): boolean =>
  makesNames(text, family) &&
  (family === "python" ? pythonPatch : scriptPatch).test(squeezeBlanks(text));

const pythonPatch =
  /\bsetattr\s*\((?!\s*self\b)(?!\s*[\w.]+\s*,\s*["']\w+["']\s*,)|(?<!\bself)\.__dict__\b|\bvars\s*\((?!\s*self\b)/;
const scriptPatch = new RegExp(
  String.raw`\b(?:assign|definePropert\w+|setPrototypeOf|set)\s*\((?!\s*this\b)|\b(?:prototype|[A-Z][\w$]*)\s*${computed}\s*=(?!=)`,
);

/** A class whose objects answer to names that nobody wrote down. */
export const answersAnything = (text: string): boolean =>
  /\b__getattr(?:ibute)?__\b|\bmetaclass\s*=|\b__dict__\b|\bvars\s*\(|\bnew\s+Proxy\b/.test(text);

/** Of Python's own library: objects that answer to names nobody wrote down. */
export const dynamicPackages: ReadonlySet<string> = new Set([
  "ctypes",
  "multiprocessing",
  "tkinter",
  "turtle",
  "unittest",
  "xmlrpc",
]);

/** Objects that stand for others in tests answer to any name. */
export const speaksOfMocks = (text: string): boolean => /mock|stub|\bspy|\bfake/i.test(text);

/** Names that programs around a file put into it, and those of Python 2 in files for both. */
export const injectedNames: ReadonlySet<string> = new Set(
  `_ get_config get_ipython display dbutils spark reveal_type reveal_locals unicode xrange raw_input
  basestring long unichr reduce execfile cmp file reload intern apply buffer coerce WindowsError`.split(
    /\s+/,
  ),
);
