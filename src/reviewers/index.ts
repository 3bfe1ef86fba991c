/**
 * Who reviews this project. A roster that comes with Headgate, and reviewers generated for the project's
 * domains as agent files of the client. Invariants (tests carry the ids):
 * A-01 only what is missing is generated; an update keeps what people changed, or leaves the file alone;
 * A-02 a generated file is known by manifest, marker or content; files of others are never touched;
 * A-03 orphans are reported, and removed only when asked; A-04 a domain without document is skipped;
 * A-05 a failure is told per file, and with `strict` leaves nothing behind.
 * Not here: choosing and running reviewers (review), whether one is worth its slot (routing).
 */
export { type Reviewers, openReviewers } from "./open-reviewers.ts";
export type { ReviewersPlace } from "./place.ts";
export type { DoneStep, GenerateOptions, GenerateReport } from "./generate.ts";
export type { AgentText, DiffReport, ListedReviewer, LookOptions, UseCount } from "./look.ts";
export type { AdoptReport, PruneOptions, PruneReport, Refused } from "./lifecycle.ts";
export { type FoundDomain, type Library, openLibrary } from "./library.ts";
export { type DomainDocument, type ReviewerSpec, type Severity } from "./domain.ts";
export { type RosterReviewer, rosterNames } from "./roster.ts";
export { type ContractPlace, renderContract, renderRosterReviewer } from "./render.ts";
