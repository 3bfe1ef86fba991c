/** What is reviewed: a change, files or a document, read once, cut into parts that fit a prompt. */
export type { SubjectRequest } from "./meaning.ts";
export type { SubjectParts } from "./place.ts";
export { changedLines } from "./changed-lines.ts";
export { narrowSubject } from "./narrow.ts";
export { readSubject } from "./read-subject.ts";
export { sliceSubject, type SliceOptions } from "./slices.ts";
