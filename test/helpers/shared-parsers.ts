import { afterAll } from "vitest";
import type { SharedParts } from "../../src/compose-editing.ts";
import { newNamesShelf } from "../../src/gate/index.ts";
import { Analyser } from "../../src/structure/index.ts";

let analyser: Analyser | undefined;
afterAll(() => analyser?.close());

/**
 * For `openHeadgate({ shared })`: the parsers of one test file, started once. A start and the loading of its
 * grammars take half a second of processor time, and what a parser says depends on the content alone. Not
 * for tests that stop or end parsers: contents that an earlier test asked about are remembered.
 */
export const sharedParsers = async (): Promise<SharedParts> => ({
  analyser: (analyser ??= new Analyser()),
  shelf: newNamesShelf(),
});
