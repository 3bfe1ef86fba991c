import { HeadgateError } from "../errors.ts";

/** Whatever was thrown, as the one error every surface can show: what is not ours is INTERNAL. */
export const asHeadgateError = (error: unknown): HeadgateError => {
  if (HeadgateError.isInstance(error)) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new HeadgateError("INTERNAL", message.split("\n", 1)[0] ?? message, { cause: error });
};
