/**
 * How to reach a server, by its address and the environment. The library's own reading warns on standard
 * error, waits for a minute without a password, and ignores PGSSLROOTCERT.
 */
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { errnoOf, type Files } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import type { StoreContext } from "../store-context.ts";

export const readClientSettings = (
  address: string,
  location: string,
  { environment, files, platform }: Pick<StoreContext, "environment" | "files" | "platform">,
): { readonly config: ClientConfig; password(at: PasswordPlace): string } => {
  const { variables, home } = environment;
  const url = new URL(address);
  const take = (name: string): string | undefined => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  };
  const mode = take("sslmode") ?? (isYes(take("ssl")) ? "verify-full" : variables["PGSSLMODE"]);
  const read = (what: string, path: string | undefined): string | undefined => {
    if (path === undefined || path === "") return undefined;
    const text = readIfThere(path, files);
    if (text !== undefined) return text;
    throw new HeadgateError("STORE_ADDRESS_INVALID", `${what} names ${path}, which is not there`, {
      remedy: "Correct the path, or leave it out to trust the certificates of the system.",
    });
  };
  const ca = read("sslrootcert", take("sslrootcert") ?? variables["PGSSLROOTCERT"]);
  const cert = read("sslcert", take("sslcert") ?? variables["PGSSLCERT"]);
  const key = read("sslkey", take("sslkey") ?? variables["PGSSLKEY"]);
  take("uselibpqcompat");
  const given = url.password === "" ? take("password") : decodeURIComponent(url.password);
  url.password = "";
  const isTls = !isPlain(mode) || ca !== undefined;
  return {
    config: {
      connectionString: url.href,
      ssl: isTls && { ...tlsFor(mode), ...defined({ ca, cert, key }) },
    },
    password: (at) => given ?? variables["PGPASSWORD"] ?? findPassword(at),
  };

  function findPassword(at: PasswordPlace): string {
    const path = variables["PGPASSFILE"] ?? join(home, ".pgpass");
    const text = readIfThere(path, files);
    const isOpen =
      text !== undefined && platform !== "win32" && ((files.stat(path)?.mode ?? 0) & 0o077) !== 0;
    const found = text === undefined || isOpen ? undefined : matchPassword(text, at);
    if (found !== undefined) return found;
    const why = isOpen
      ? `${path} can be read by others (chmod 600)`
      : text === undefined
        ? `there is no ${path}`
        : `no line of ${path} fits ${at.host ?? "localhost"}:${at.port ?? 5432}:${at.database ?? ""}:${at.user ?? ""}`;
    throw new HeadgateError("STORE_UNAVAILABLE", `${location} asks for a password: ${why}`, {
      data: { location },
      remedy:
        "Set PGPASSWORD, or write HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass with mode 600.",
    });
  }
};

const readIfThere = (path: string, files: Files): string | undefined => {
  try {
    return files.readFile(path).toString("utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
};

export interface PasswordPlace {
  readonly host?: string;
  readonly port?: number | string;
  readonly database?: string;
  readonly user?: string;
}

/** `require` proves the server, too: encryption without proof keeps no one out. */
const tlsFor = (mode: string | undefined) =>
  mode === "no-verify"
    ? { rejectUnauthorized: false }
    : mode === "verify-ca"
      ? { rejectUnauthorized: true, checkServerIdentity: () => undefined }
      : { rejectUnauthorized: true };

const isPlain = (mode: string | undefined): boolean =>
  mode === undefined || ["", "disable", "allow"].includes(mode);

const isYes = (value: string | undefined): boolean => value === "true" || value === "1";

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The format of libpq: five fields, `*` for any, a backslash before a colon or backslash that is meant. */
export const matchPassword = (text: string, wanted: PasswordPlace): string | undefined => {
  const host = wanted.host?.startsWith("/") ? "localhost" : (wanted.host ?? "localhost");
  const fields = [host, String(wanted.port ?? 5432), wanted.database ?? "", wanted.user ?? ""];
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) continue;
    const parts = splitFields(line.replace(/\r$/, ""));
    if (parts.length < 5) continue;
    const password = parts.slice(4).join(":");
    if (fields.every((field, at) => parts[at] === "*" || parts[at] === field)) return password;
  }
  return undefined;
};

const splitFields = (line: string): string[] => {
  const parts = [""];
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === ":" && parts.length < 5) parts.push("");
    else {
      if (character === "\\" && at + 1 < line.length) at += 1;
      parts[parts.length - 1] += line.charAt(at);
    }
  }
  return parts;
};
