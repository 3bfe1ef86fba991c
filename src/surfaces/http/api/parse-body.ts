import * as v from "valibot";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";

/** The body as the schema says, or USAGE with the place and the problem. */
export const parseBody = <S extends v.GenericSchema>(
  schema: S,
  body: unknown,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue) ?? "the body";
  throw new HeadgateError("USAGE", `${showText(place)}: ${showText(issue.message)}`);
};
