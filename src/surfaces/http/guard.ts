import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { pageSecret } from "./sign-in.ts";

/**
 * Who may talk to the server. Judged on the raw request, before any routing, in a fixed order: Host,
 * Origin, Sec-Fetch-Site, token, content type, size. Every check stands alone: a missing Origin proves
 * nothing, so the token is still asked for, and a token does not excuse a foreign Origin.
 */
export interface Guard {
  /** Undefined when the request may pass. */
  refusal(request: IncomingMessage): HeadgateError | undefined;
}

export const createGuard = (options: {
  readonly port: () => number;
  readonly token: string;
}): Guard => {
  const expected = { token: digest(options.token), page: digest(pageSecret(options.token)) };
  return {
    refusal: (request) =>
      hostRefusal(request, options.port()) ??
      originRefusal(request) ??
      fetchSiteRefusal(request) ??
      tokenRefusal(request, expected) ??
      contentRefusal(request),
  };
};

/**
 * On the owner's socket: its folder lets in only the owner, and no browser reaches it. Its kind and size
 * are still checked.
 */
export const ownerGuard: Guard = { refusal: (request) => contentRefusal(request) };

/** True when the request shows the right token; only asked where none is needed (GET /health). */
export const showsToken = (request: IncomingMessage): boolean =>
  request.headersDistinct["authorization"] !== undefined;

/** The dashboard's own secret, which a page gets for the key of a link; not the token of programs, not the socket. */
export const isSignedIn = (request: IncomingMessage, token: string): boolean => {
  const shown = sentToken(request);
  return shown !== undefined && timingSafeEqual(digest(shown), digest(pageSecret(token)));
};

const sentToken = (request: IncomingMessage): string | undefined =>
  /^Bearer ([\x21-\x7e]+)$/i.exec(single(request, "authorization") ?? "")?.[1];

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const publicPaths = new Set(["/", "/icon.svg", "/health"]);
/** The page itself, which holds nothing of the repository. */
const assetPath = /^\/assets\/[a-z0-9-]{1,40}\.(?:js|css)$/;
const signInPath = "/api/sign-in";
/** What the dashboard's secret does not open: agents come in by other ways, and end nobody. */
const isForPage = (url = ""): boolean =>
  // Plain letters only: whatever a dot or an escape would be resolved to is not opened.
  /^\/api\/[a-z/-]+(?:\?|$)/.test(url) && !/^\/api\/(?:shutdown|sign-in)/.test(url);

interface Expected {
  readonly token: Buffer;
  readonly page: Buffer;
}

/** The only value of a header; undefined when absent, null when sent several times. */
const single = (request: IncomingMessage, name: string): string | undefined | null => {
  const values = request.headersDistinct[name];
  return values === undefined ? undefined : values.length === 1 ? values[0] : null;
};

const hostRefusal = (request: IncomingMessage, port: number): HeadgateError | undefined => {
  const host = single(request, "host");
  // Compared whole: `localhost.evil.example` starts with a good name.
  if (["127.0.0.1", "localhost", "[::1]"].some((name) => host === `${name}:${port}`))
    return undefined;
  const shown = host ? `"${showText(host)}"` : host === null ? "sent twice" : "missing";
  return new HeadgateError("HTTP_HOST_REFUSED", `the Host header is not this server's: ${shown}`);
};

const originRefusal = (request: IncomingMessage): HeadgateError | undefined => {
  const origin = single(request, "origin");
  if (origin === undefined || origin === `http://${request.headers.host}`) return undefined;
  const shown = origin === null ? "sent twice" : `"${showText(origin)}"`;
  return new HeadgateError("HTTP_ORIGIN_REFUSED", `the Origin is not this server's own: ${shown}`);
};

const fetchSiteRefusal = (request: IncomingMessage): HeadgateError | undefined => {
  const site = single(request, "sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  const shown = site === null ? "sent twice" : `"${showText(site)}"`;
  return new HeadgateError("HTTP_ORIGIN_REFUSED", `the browser says the request is ${shown}`);
};

const tokenRefusal = (request: IncomingMessage, expected: Expected): HeadgateError | undefined => {
  const sent = single(request, "authorization");
  if (sent === undefined && isPublic(request)) return undefined;
  const token = sentToken(request);
  // Digests have one length, so the comparison takes the same time whatever was sent.
  const shown = digest(token ?? "");
  const isToken = timingSafeEqual(shown, expected.token);
  const isPage = timingSafeEqual(shown, expected.page) && isForPage(request.url);
  if (token !== undefined && (isToken || isPage)) return undefined;
  const problem = sent === undefined ? "no token was sent" : "the token is not this server's";
  return new HeadgateError("HTTP_TOKEN_REFUSED", problem);
};

const isPublic = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" || method === "HEAD"
    ? publicPaths.has(url) || assetPath.test(url)
    : method === "POST" && url === signInPath;

const contentRefusal = (request: IncomingMessage): HeadgateError | undefined => {
  if (safeMethods.has(request.method ?? "")) return undefined;
  const type = single(request, "content-type");
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(type ?? "")) {
    const shown = type ? `"${showText(type)}"` : type === null ? "sent twice" : "missing";
    return new HeadgateError(
      "HTTP_CONTENT_TYPE",
      `the Content-Type must be application/json: ${shown}`,
    );
  }
  const length = Number(request.headers["content-length"] ?? 0);
  return length > limits.httpBodyBytesMax ? bodyTooLarge() : undefined;
};

export const bodyTooLarge = (): HeadgateError =>
  new HeadgateError(
    "INPUT_TOO_LARGE",
    `the request body is larger than ${limits.httpBodyBytesMax} bytes`,
    { data: { limitBytes: limits.httpBodyBytesMax } },
  );

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
