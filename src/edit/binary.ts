/** As git tells text from other files: a NUL in the beginning is none, unless a mark says UTF-16. */
export const isText = (bytes: Buffer): boolean => {
  const isMarked =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isMarked || !bytes.subarray(0, 8000).includes(0);
};
