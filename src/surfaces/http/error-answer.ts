import type { ServerResponse } from "node:http";
import { type HeadgateError, httpStatuses } from "../../errors.ts";
import { securityHeaders } from "./security-headers.ts";

/** A failure as an answer: the same JSON as on the command line. */
export const errorAnswer = (error: HeadgateError): Response =>
  new Response(shown(error), { status: httpStatuses[error.entry.kind], headers: headersOf(error) });

/** The same, before there is a Request: the connection ends, because its body was never read. */
export const refuse = (response: ServerResponse, error: HeadgateError): void => {
  const headers = { ...securityHeaders, ...headersOf(error), connection: "close" };
  response.writeHead(httpStatuses[error.entry.kind], headers).end(shown(error));
};

/** The inside of a defect (paths, SQL) is for the log of the server, not for its callers. */
const shown = (error: HeadgateError): string => {
  const body = error.toJSON();
  return `${JSON.stringify(error.code === "INTERNAL" ? { ...body, message: "internal error", data: {} } : body)}\n`;
};

const headersOf = (error: HeadgateError): Record<string, string> => ({
  "content-type": "application/json",
  ...(error.entry.kind === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
});
