import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { bodyTooLarge } from "./guard.ts";

/**
 * The body as JSON, read no further than the limit, whatever length was announced. Undefined for an
 * empty one. Bodies nobody asks for are never read into memory at all.
 */
export const readJsonBody = async (request: Request): Promise<unknown> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.httpBodyBytesMax) throw bodyTooLarge();
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new HeadgateError("USAGE", "the request body is not valid JSON", { cause });
  }
};
