import { HeadgateError } from "../errors.ts";
import type { Parsed } from "./problem.ts";

/** The common interface of valibot, zod, arktype and others (standardschema.dev), as far as it is used. */
export interface StandardSchema<T = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
  };
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema object, or a function that names the problem of a value, if it has one. */
export type Schema<T = unknown> = StandardSchema<T> | ((value: unknown) => string | undefined);

export const checkSchema = <T>(schema: Schema<T> | undefined, value: unknown): Parsed<T> => {
  if (schema === undefined) return { ok: true, value: value as T };
  if (typeof schema === "function" && !("~standard" in schema)) {
    const message = schema(value);
    return message === undefined
      ? { ok: true, value: value as T }
      : { ok: false, problem: { message } };
  }
  const result = (schema as StandardSchema<T>)["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new HeadgateError(
      "USAGE",
      "schemas of state files must answer at once, not by a promise",
    );
  }
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, problem: { message: result.issues.slice(0, 5).map(issueText).join("; ") } };
};

const issueText = ({ message, path }: StandardIssue): string => {
  const place = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  return place.length === 0 ? message : `${place.join(".")}: ${message}`;
};
