import { join } from "node:path";
import { assert } from "../base/assert.ts";
import type { Files } from "../base/files.ts";
import { sha256 } from "../base/sha256.ts";
import { HeadgateError } from "../errors.ts";
import { shippedChecksums } from "./shipped-checksums.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  /** Read when it is needed, which is once in the life of a store. */
  sql(): string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/** The migrations that ship with this version, `NNNN-name.sql`, numbered from 1 without gaps. */
export const loadMigrations = (files: Files, backend: "sqlite" | "postgres"): Migration[] => {
  // Spelled so that it is right for the bundle as well, whose folder lies beside this one.
  const folder = join(import.meta.dirname, "../store/migrations", backend);
  const checksums = shippedChecksums[backend];
  const names = checksums
    ? Object.keys(checksums)
    : files.list(folder).flatMap(({ name }) => (name.endsWith(".sql") ? [name] : []));
  return names.toSorted().map((file, index) => {
    assert(
      /^\d{4}-[a-z0-9-]+\.sql$/.test(file),
      `the migration ${file} is not named NNNN-name.sql`,
    );
    const version = Number(file.slice(0, 4));
    assert(version === index + 1, `the migration ${file} leaves a gap in the numbers`);
    const checksum = checksums?.[file] ?? sha256(readSql(join(folder, file), files));
    const sql = () => {
      const text = readSql(join(folder, file), files);
      assert(sha256(text) === checksum, `the migration ${file} is not the one that was built`);
      return text;
    };
    return { version, name: file.slice(5, -4), checksum, sql };
  });
};

/** A checkout on Windows may have changed the line ends; the checksum must not care. */
const readSql = (path: string, files: Files): string =>
  files.readFile(path).toString("utf8").replaceAll("\r\n", "\n");

/** Which shipped migrations are missing; refuses a store that a different Headgate made. */
export const pendingMigrations = (options: {
  readonly shipped: readonly Migration[];
  readonly applied: readonly AppliedMigration[];
  readonly readOnly: boolean;
  readonly location: string;
}): Migration[] => {
  const { shipped, applied, readOnly, location } = options;
  const latest = shipped.length;
  for (const { version, name, checksum } of applied) {
    const own = shipped[version - 1];
    if (own === undefined) {
      throw new HeadgateError(
        "STORE_SCHEMA_NEWER",
        `the store ${location} has migration ${version} (${name}); this Headgate knows ${latest}`,
        { data: { location, version, known: latest } },
      );
    }
    if (own.checksum !== checksum) {
      throw new HeadgateError(
        "STORE_MIGRATION_CHANGED",
        `migration ${version} (${name}) of the store ${location} is not the one this Headgate ships`,
        { data: { location, version } },
      );
    }
  }
  const known = new Set(applied.map(({ version }) => version));
  const pending = shipped.filter(({ version }) => !known.has(version));
  if (applied.length === 0 && readOnly) {
    throw new HeadgateError("STORE_ABSENT", `nothing was ever stored in ${location}`, {
      data: { location },
    });
  }
  if (pending.length > 0 && readOnly) {
    throw new HeadgateError(
      "STORE_SCHEMA_OLDER",
      `the store ${location} has ${applied.length} of ${latest} migrations and is opened for reading only`,
      { data: { location, version: applied.length, known: latest } },
    );
  }
  return pending;
};
