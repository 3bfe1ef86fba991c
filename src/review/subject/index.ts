export type { SubjectRequest } from "./meaning.ts";
export type { SubjectParts } from "./place.ts";
export { changedLines } from "./changed-lines.ts";
export { narrowSubject } from "./narrow.ts";
export { readSubject } from "./read-subject.ts";
export { sliceSubject, type SliceOptions } from "./slices.ts";
