import type { SharedParts } from "../../src/compose-editing.ts";
import { newNamesShelf } from "../../src/gate/index.ts";
import { Analyser } from "../../src/structure/index.ts";

let analyser: Analyser | undefined;

/**
 * The parsers of this process, for all of its test files: a start and the loading of grammars take half a
 * second of processor time, and what a parser says depends on the content alone. They end with the process.
 * Not for tests that stop or end parsers: contents that an earlier test asked about are remembered.
 */
export const sharedAnalyser = (): Analyser => (analyser ??= new Analyser());

/** For `openHeadgate({ shared })`. */
export const sharedParsers = async (): Promise<SharedParts> => ({
  analyser: sharedAnalyser(),
  shelf: newNamesShelf(),
});
