import { limits } from "../base/limits.ts";
import type { ProcessIdentity } from "../base/process-identity.ts";
import type { Random } from "../base/random.ts";
import { contentHash, shortHash } from "./content-hash.ts";

/**
 * A temporary's name says everything recovery needs: whose it is, on top of which version it was made,
 * and what its complete content hashes to. The hash is known before the file is opened, so a torn
 * temporary cannot pass for a whole one, and no journal or trailer can be lost separately.
 *
 *     .<target>.hg1-<host>_<boot>_<namespace>_<pid>_<start>-<base>-<content>-<random>.tmp
 */
export interface TemporaryName {
  /** The target's name, or its hash when the name is too long to be repeated. */
  readonly target: { readonly name: string } | { readonly nameHash: string };
  readonly owner: OwnerMark;
  /** Short hash of the version that was there; "new" when there was no file. */
  readonly base: string;
  readonly content: string;
}

/** A process identity with its long parts shortened; see `identityOf`. */
export interface OwnerMark {
  readonly host: string;
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly start: string;
}

export const baseMark = (hash: string | undefined): string =>
  hash === undefined ? "new" : shortHash(hash, 80);

export const contentMark = (hash: string): string => shortHash(hash, 128);

export const temporaryName = (
  parts: {
    readonly target: string;
    readonly owner: ProcessIdentity;
    readonly baseHash: string | undefined;
    readonly hash: string;
  },
  random: Random,
): string => {
  const nonce = Buffer.from(random.bytes(16)).toString("hex");
  const { owner, baseHash, hash } = parts;
  const tail = [ownerText(owner), baseMark(baseHash), contentMark(hash), nonce].join("-");
  const plain = `.${parts.target}.hg1-${tail}.tmp`;
  if (Buffer.byteLength(plain) <= limits.nameBytesMax) return plain;
  return `.${nameMark(parts.target)}.hg1l-${tail}.tmp`;
};

/** Undefined for every name that is not ours: foreign `*.tmp` files are none of our business. */
export const parseTemporaryName = (name: string): TemporaryName | undefined => {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, target = "", long, host = "", boot = "", namespace = "", pid = "", start = ""] = match;
  const [base = "", content = ""] = match.slice(8);
  if (long && target.length !== 128 / 4) return undefined;
  return {
    target: long ? { nameHash: target } : { name: target },
    owner: { host, boot, namespace, pid: Number.parseInt(pid, 36), start },
    base,
    content,
  };
};

export const belongsTo = (temporary: TemporaryName, target: string): boolean =>
  "name" in temporary.target
    ? temporary.target.name === target
    : temporary.target.nameHash === nameMark(target);

/**
 * The identity to ask about. Short marks equal to our own stand for our own long values; others stay
 * foreign, so that a process of another machine or container is never taken for one of ours.
 */
export const identityOf = (mark: OwnerMark, own: ProcessIdentity): ProcessIdentity => {
  const ours = ownerMark(own);
  const namespace = mark.namespace === ours.namespace ? own.pidNamespace : mark.namespace;
  return {
    host: mark.host === ours.host ? own.host : mark.host,
    bootId: mark.boot === ours.boot ? own.bootId : mark.boot,
    ...(namespace === undefined ? {} : { pidNamespace: namespace }),
    pid: mark.pid,
    startTime: mark.start,
  };
};

const pattern = new RegExp(
  String.raw`^\.(.+)\.hg1(l?)-([0-9a-z]{6})_([0-9a-z]{8})_([0-9a-z]{6})_([0-9a-z]{1,8})_([0-9]{1,20})` +
    String.raw`-(new|[0-9a-f]{20})-([0-9a-f]{32})-[0-9a-f]{32}\.tmp$`,
  "s",
);

const nameMark = (target: string): string => shortHash(contentHash(target), 128);

const mark = (text: string, length: number): string =>
  shortHash(contentHash(text), 128).slice(-length);

const ownerMark = (identity: ProcessIdentity): OwnerMark => ({
  host: mark(identity.host, 6),
  boot: mark(identity.bootId, 8),
  namespace: mark(identity.pidNamespace ?? "", 6),
  pid: identity.pid,
  start: identity.startTime,
});

const ownerText = (identity: ProcessIdentity): string => {
  const { host, boot, namespace, pid, start } = ownerMark(identity);
  return [host, boot, namespace, pid.toString(36), start].join("_");
};
