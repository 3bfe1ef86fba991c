import { limits } from "../base/limits.ts";

/** Names become file names and stand in front matter and markers, so their letters are few. */
const plain = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isDomainName = (text: string): boolean =>
  text.length <= limits.reviewerNameLengthMax && plain.test(text);

/** The name of a generated reviewer. */
export const isReviewerName = (text: string): boolean =>
  text.startsWith("fd-") && text.length <= limits.reviewerNameLengthMax && plain.test(text);

/** A Markdown file in the agents' folder or, as the client allows, in folders below; `/` between names. */
export const isAgentFile = (text: string): boolean => {
  const names = text.split("/");
  return (
    names.length <= limits.reviewerAgentDepthMax &&
    names.every((name) => /^[^.\\\0\n\r][^\\\0\n\r]{0,254}$/.test(name)) &&
    text.endsWith(".md")
  );
};
