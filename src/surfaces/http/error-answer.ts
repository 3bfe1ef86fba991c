import type { ServerResponse } from "node:http";
import { type HeadgateError, httpStatuses } from "../../errors.ts";

/** A failure as an answer: the same JSON as on the command line. */
export const errorAnswer = (error: HeadgateError): Response =>
  new Response(shown(error), { status: httpStatuses[error.entry.kind], headers: headersOf(error) });

/** The same, before there is a Request: the connection ends, because its body was never read. */
export const refuse = (response: ServerResponse, error: HeadgateError): void => {
  const body = Buffer.from(shown(error));
  response
    .writeHead(httpStatuses[error.entry.kind], {
      ...headersOf(error),
      "content-length": body.length,
      connection: "close",
    })
    .end(body);
};

/** The inside of a defect (paths, SQL) is for the server's own terminal, not for its callers. */
const shown = (error: HeadgateError): string => {
  const body = error.toJSON();
  const isDefect = error.code === "INTERNAL";
  return `${JSON.stringify(isDefect ? { ...body, message: "internal error", data: {} } : body)}\n`;
};

const headersOf = (error: HeadgateError): Record<string, string> => ({
  "content-type": "application/json",
  ...(error.entry.kind === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
});
