/**
 * Contents that are binary by their own account: they begin as a known format does. Only signatures that no source
 * begins with are taken: `GIF89a` and `RIFF` are names in JavaScript, so these need more than their letters.
 */

export type BinaryKind = "binary" | "encrypted";

export const binaryKind = (bytes: Buffer, language = ""): BinaryKind | undefined => {
  if (encrypted.some((signature) => startsWith(bytes, signature))) return "encrypted";
  const isKnown =
    signatures.some((signature) => startsWith(bytes, signature)) ||
    shapes.some((isShaped) => isShaped(bytes));
  return isKnown && !hasCode(bytes, language) ? "binary" : undefined;
};

/** Byte by byte; a gap may hold anything. */
type Signature = readonly (number | undefined)[];

const startsWith = (bytes: Buffer, signature: Signature): boolean =>
  signature.every((byte, at) => byte === undefined || bytes[at] === byte);

const text = (letters: string): number[] => [...Buffer.from(letters, "latin1")];
const any = undefined;

/** git-crypt, and age as a filter of git: what is committed of a source is not its text. */
const encrypted: readonly Signature[] = [text("\0GITCRYPT\0"), text("age-encryption.org/v1\n-> ")];

const signatures: readonly Signature[] = [
  // Pictures, sound, video, fonts, documents.
  text("\x89PNG\r\n\x1a\n"),
  [0xff, 0xd8, 0xff],
  [0, 0, 1, 0, any, 0],
  [0, 0, 2, 0, any, 0],
  text("II*\0"),
  text("MM\0*"),
  text("8BPS\0\x01"),
  text("OggS\0"),
  text("ID3\x02"),
  text("ID3\x03"),
  text("ID3\x04"),
  text("fLaC\0"),
  text("MThd\0\0\0"),
  [0, 0, 0, any, ...text("ftyp")],
  [0x1a, 0x45, 0xdf, 0xa3],
  [0, 1, 0, 0, 0],
  text("OTTO\0"),
  text("wOFF\0\x01"),
  text("wOF2\0\x01"),
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
  // Archives.
  text("PK\x03\x04"),
  text("PK\x05\x06"),
  [0x1f, 0x8b, 0x08],
  text("\xfd7zXZ\0"),
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x04, 0x22, 0x4d, 0x18],
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  text("Rar!\x1a\x07"),
  text("MSCF\0\0\0\0"),
  // Programs and compiled code.
  text("\0asm"),
  text("\x7fELF"),
  [0xca, 0xfe, 0xba, 0xbe],
  [0xfe, 0xed, 0xfa, 0xce],
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0x42, 0x43, 0xc0, 0xde],
  text("\x1bLua"),
  text("dex\n035\0"),
  // Data.
  text("SQLite format 3\0"),
  text("\x93NUMPY"),
  text("\x89HDF\r\n\x1a\n"),
  text("PACK\0\0\0"),
  // AppleDouble, which macOS puts beside a file.
  [0, 0x05, 0x16, 0x07],
];

const at32 = (bytes: Buffer, at: number): number =>
  bytes.length >= at + 4 ? bytes.readUInt32LE(at) : -1;

const hasEvery = (bytes: Buffer, byte: number, from: number, step: number): boolean => {
  for (let at = from; at < bytes.length; at += step) if (bytes[at] !== byte) return false;
  return bytes.length > step;
};

/** Formats whose letters alone could be code. */
const shapes: readonly ((bytes: Buffer) => boolean)[] = [
  // Its width comes next, below 2,304 and not the beginning of a comment or a text.
  // oxlint-disable-next-line no-control-regex -- the upper half of a number.
  (bytes) => /^GIF8[79]a[^"'`/][\0-\x08]/.test(bytes.toString("latin1", 0, 8)),
  (bytes) => /^%PDF-\d\.\d[\r\n]+%[\x80-\xff]{4}/.test(bytes.toString("latin1", 0, 20)),
  (bytes) => startsWith(bytes, text("RIFF")) && Math.abs(at32(bytes, 4) + 8 - bytes.length) <= 1,
  (bytes) => startsWith(bytes, text("BM")) && at32(bytes, 2) === bytes.length,
  (bytes) => {
    const header = at32(bytes, 60);
    return startsWith(bytes, text("MZ")) && at32(bytes, header) === 0x4550;
  },
  // Video, whose endings .ts and .mts are those of TypeScript.
  (bytes) =>
    (startsWith(bytes, [0x47, 0x40, 0]) || startsWith(bytes, [0x47, 0x40, 0x11])) &&
    hasEvery(bytes, 0x47, 0, 188),
  (bytes) => bytes[4] === 0x47 && bytes[0] === 0 && hasEvery(bytes, 0x47, 4, 192),
];

/** Where everything before the first mark is text, a picture can go on as a program. */
const hasCode = (bytes: Buffer, language: string): boolean =>
  ["php", "html", "vue", "svelte"].includes(language) &&
  /<\?(?:php|=)|<(?:script|template|html|!doctype)\b/i.test(bytes.toString("latin1"));
