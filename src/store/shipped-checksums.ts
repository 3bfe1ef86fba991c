/**
 * The checksum of every migration by back end and file name. Empty here; the build fills it in for the
 * command line (scripts/bundle.mjs), so that opening an up-to-date store reads and hashes no migration.
 */
export const shippedChecksums: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
