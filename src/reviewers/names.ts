import { bounds } from "./bounds.ts";

/** Names become file names and stand in front matter and markers, so their letters are few. */
const plain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isDomainName = (text: string): boolean =>
  text.length <= bounds.nameLengthMax && plain.test(text);

/** The name of a generated reviewer. */
export const isReviewerName = (text: string): boolean =>
  text.startsWith("fd-") && text.length <= bounds.nameLengthMax && plain.test(text);

/** The name of a file directly in the agents' folder. */
export const isAgentFile = (text: string): boolean =>
  /^[^/\\\0\n\r]+\.md$/.test(text) && !text.startsWith(".") && text.length <= 255;
