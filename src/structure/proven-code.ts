/** Errors that hold whatever a grammar may not know: brackets and texts without an end. */
import type { SyntaxError } from "./types.ts";

export const provenCode = "proven";

/** A function, because the bundler cannot take the constant along into another chunk. */
export const isProvenError = ({ code }: SyntaxError): boolean => code === provenCode;
