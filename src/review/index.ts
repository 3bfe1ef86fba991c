/**
 * Reviews. The model only judges code; everything around it is code with tests. `report/` reads what a
 * reviewer wrote (lenient in, strict out), `synthesis/` brings all reports together as a pure function
 * (same input, same bytes), `static/` holds reviewers that need no model, `formats/` says it as text,
 * Markdown, SARIF and rdjson.
 */
export type * from "./types.ts";
