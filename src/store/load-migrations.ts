import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../base/assert.ts";
import type { Files } from "../base/files.ts";
import { HeadgateError } from "../errors.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/** The migrations that ship with this version, `NNNN-name.sql`, numbered from 1 without gaps. */
export const loadMigrations = (files: Files, backend: "sqlite" | "postgres"): Migration[] => {
  const folder = fileURLToPath(new URL(`./migrations/${backend}`, import.meta.url));
  const names = files
    .list(folder)
    .map((entry) => entry.name)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  return names.map((file, index) => {
    assert(
      /^\d{4}-[a-z0-9-]+\.sql$/.test(file),
      `the migration ${file} is not named NNNN-name.sql`,
    );
    const version = Number(file.slice(0, 4));
    assert(version === index + 1, `the migration ${file} leaves a gap in the numbers`);
    // A checkout on Windows may have changed the line ends; the checksum must not care.
    const sql = files.readFile(join(folder, file)).toString("utf8").replaceAll("\r\n", "\n");
    const checksum = createHash("sha256").update(sql, "utf8").digest("hex");
    return { version, name: file.slice(5, -4), sql, checksum };
  });
};

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
