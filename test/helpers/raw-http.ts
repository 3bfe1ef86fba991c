import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything that came over the connection. */
  readonly raw: string;
}

/**
 * Sends exactly these bytes to the server and reads until it closes, `until` has come, or `forMs` have passed.
 * Without a time of its own that only ends a hang.
 */
export const sendRaw = (
  port: number,
  text: string | Buffer,
  { forMs = 120_000, until }: { readonly forMs?: number; readonly until?: RegExp } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let raw = "";
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(text));
    socket.on("data", (chunk) => {
      raw += String(chunk);
      if (until?.test(raw)) socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses may close before it has read everything.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(parseAnswer(raw));
    });
  });

/** One request in which every header is as given; `Host` is right unless named. */
export const request = (
  { port, token }: { readonly port: number; readonly token?: string },
  line: string,
  headers: readonly (readonly [string, string])[] = [],
  body = "",
): Promise<Answer> => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${line} HTTP/1.1`];
  if (!names.has("host")) lines.push(`Host: 127.0.0.1:${port}`);
  if (token !== undefined && !names.has("authorization"))
    lines.push(`Authorization: Bearer ${token}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== "" && !names.has("content-length"))
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  lines.push("Connection: close");
  return sendRaw(port, `${lines.join("\r\n")}\r\n\r\n${body}`);
};

/** Where the head of an answer ends; for one whose body does not. */
export const headEnd = /\r\n\r\n/;

export const codeOf = (answer: Answer): string | undefined =>
  answer.body === "" ? undefined : (JSON.parse(answer.body) as { code?: string }).code;

const parseAnswer = (raw: string): Answer => {
  const end = raw.indexOf("\r\n\r\n");
  const [first = "", ...lines] = raw.slice(0, Math.max(0, end)).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: raw.slice(end + 4), raw };
};
