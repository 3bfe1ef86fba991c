/** The coding line of a Python file: how CPython would read the bytes, and when it would refuse to. */
import type { SyntaxError } from "../types.ts";
import type { SyntaxQuestion } from "./verdict.ts";

type Coding =
  | { readonly error: SyntaxError }
  | { readonly error?: undefined; readonly text: string }
  | { readonly error?: undefined; readonly text?: undefined; readonly why: string };

export const readCoding = ({ text, encoding, hasBom }: SyntaxQuestion): Coding => {
  const wide = /^utf-(?:16|32)/.exec(encoding ?? "")?.[0].toUpperCase();
  if (wide !== undefined) {
    return { error: coding(1, 1, `Python does not read source code in ${wide}`) };
  }
  const line = codingLine(text);
  if (!line) return encoding === "latin1" ? { error: undeclared(text) } : { text };
  const { name, number, column } = line;
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, "");
  if (!known.has(plain) && !families.test(plain)) {
    return { error: coding(number, column, `unknown encoding: ${name}`) };
  }
  if (/^(?:utf8.*|utf|u8|cp65001)$/.test(plain))
    return encoding === "latin1" ? { error: undeclared(text, name) } : { text };
  if (hasBom) {
    const message = `the file begins with a UTF-8 mark but says that it is ${name}`;
    return { error: coding(number, column, message) };
  }
  if (/^(?:us|(?:us)?ascii|iso646us|646)$/.test(plain)) {
    return /[^\0-\x7f]/.test(text) && encoding !== undefined
      ? { error: undeclared(text, name) }
      : { text };
  }
  return encoding === "latin1" ? decoded(text, name, plain) : { text };
};

/** Only a comment in one of the first two lines counts, and the second only behind a comment or blank. */
const codingLine = (text: string) => {
  const lines = text.slice(0, 2000).split(/\r\n?|\n/, 2);
  for (const [index, line] of lines.entries()) {
    const found = /^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)/.exec(line);
    if (found) {
      const name = found[1] ?? "";
      return { name, number: index + 1, column: found[0].length - name.length + 1 };
    }
    if (!/^[ \t\f]*(?:#.*)?$/.test(line)) return undefined;
  }
  return undefined;
};

/** The text was read byte by byte; Latin-1 is that already, others are read again as they ask for. */
const decoded = (text: string, name: string, plain: string): Coding => {
  if (/^(?:latin|l|iso8859)1?$/.test(plain)) return { text };
  try {
    const label = name
      .toLowerCase()
      .replaceAll("_", "-")
      .replace(/^cp(?=125\d$)/, "windows-");
    return { text: new TextDecoder(label).decode(Buffer.from(text, "latin1")) };
  } catch {
    return { why: `the encoding ${name} is not read here` };
  }
};

const undeclared = (text: string, name?: string): SyntaxError => {
  const before = text.slice(0, Math.max(0, text.search(/[^\0-\x7f]/)));
  const lines = before.split(/\r\n?|\n/);
  const message = name
    ? `the file says that it is ${name}, but it is not`
    : "the file is not UTF-8 and declares no other encoding";
  return coding(lines.length, (lines.at(-1)?.length ?? 0) + 1, message);
};

const coding = (line: number, column: number, message: string): SyntaxError => {
  return { line, column, message, code: "coding" };
};

/** Names of CPython's text encodings without their punctuation (encodings.aliases of 3.13), and families of them. */
const families =
  /^(?:(?:cp|ibm|csibm|windows|ms)?\d{3,4}|csisolatin\w+|iso8859\d*|latin\d*|l\d+|isoir\d+|iso2022(?:jp|kr)\w*|ebcdiccp\w\w|utf8\w*|cspc\w+|x?mac\w+)$/;
const known = new Set(
  `
ansi ansix341968 ansix341986 arabic ascii asmo708 big5 big5hkscs big5tw charmap chinese cp65001
cp866u cpgr cpis csascii csbig5 csiso2022jp csiso2022kr csiso58gb231280 cskoi8r csptcp154
csshiftjis cyrillic cyrillicasian dbcs ecma114 ecma118 elot928 euccn eucgb2312cn eucjis2004
eucjisx0213 eucjp euckr gb18030 gb180302000 gb2312 gb23121980 gb231280 gbk greek greek8 hebrew
hkscs hproman8 hz hzgb hzgb2312 idna iso646irv1991 iso646us isoceltic jisx0213 johab koi8r koi8t
koi8u korean ksc5601 ksc56011987 ksx1001 kz1048 mbcs mskanji oem palmos pt154 ptcp154 punycode
r8 rawunicodeescape rk1048 roman8 ruscii shiftjis shiftjis2004 shiftjisx0213 sjis sjis2004
sjisx0213 strk10482002 thai tis620 tis6200 tis62025290 tis62025291 u7 u8 uhc ujis unicode11utf7
unicodeescape us usascii utf utf7 windows31j
`
    .trim()
    .split(/\s+/),
);
