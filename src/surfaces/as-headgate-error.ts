import { isOutOfFiles } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";

/**
 * Whatever was thrown, as the one error every surface can show: what is not ours is INTERNAL, unless
 * the machine is short of files, which may strike anywhere.
 */
export const asHeadgateError = (error: unknown): HeadgateError => {
  if (HeadgateError.isInstance(error)) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code = isOutOfFiles(error) ? "STATE_TOO_MANY_FILES" : "INTERNAL";
  return new HeadgateError(code, message.split("\n", 1)[0] ?? message, { cause: error });
};
