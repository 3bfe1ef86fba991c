import { composed } from "../base/text.ts";

/**
 * One spelling per remote repository, so that clones on several machines share a scope: `host/path`
 * without scheme, user, password, port, `.git` and case. Folding too much only joins two scopes,
 * folding too little would let two agents miss each other. Undefined for what is no remote: local
 * paths, `file://`, and helpers whose addresses only they understand.
 */
export const normalRemote = (address: string): string | undefined => {
  const trimmed = address.trim();
  const parts = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? urlParts(trimmed) : scpParts(trimmed);
  if (!parts) return undefined;
  const host = parts.host.toLowerCase().replace(/\.$/, "");
  const path = cleanPath(parts.path);
  if (host === "" || path === "") return undefined;
  return `${hostAliases[host] ?? host}/${path}`;
};

interface Parts {
  readonly host: string;
  readonly path: string;
}

/** The ports differ between ssh and https of one server, so they are left out. */
const urlParts = (address: string): Parts | undefined => {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!schemes.has(url.protocol)) return undefined;
  return { host: url.hostname, path: url.pathname };
};

/** `git@host:path`. A single letter before the colon is a Windows drive, as git sees it too. */
const scpParts = (address: string): Parts | undefined => {
  const match = /^(?:[^@/\s]+@)?(\[[^\]/]+\]|[^:/\\\s]{2,}):(?!:)(.+)$/.exec(address);
  const [, host, path] = match ?? [];
  return host === undefined || path === undefined ? undefined : { host, path };
};

const schemes = new Set(["ssh:", "git+ssh:", "ssh+git:", "git:", "http:", "https:"]);

/** Documented second names of hosts, for networks that allow only port 443. */
const hostAliases: Readonly<Record<string, string>> = {
  "ssh.github.com": "github.com",
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
};

const cleanPath = (path: string): string => {
  const decoded = decode(path);
  return composed(decoded)
    .toLowerCase()
    .split("/")
    .filter((name) => name !== "")
    .join("/")
    .replace(/\.git$/, "")
    .replace(/\/$/, "");
};

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A lone `%` is part of the name.
    if (error instanceof URIError) return path;
    throw error;
  }
};
