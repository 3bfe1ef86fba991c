/**
 * SQLite before 3.51.3 can corrupt a WAL database that several processes write (the WAL-reset race);
 * 3.52.0 was withdrawn and has it, too. Headgate has exactly that shape, so older ones are refused.
 */
export const isSafeSqliteVersion = (version: string): boolean => {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (!match) return false;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  if (major !== 3) return major > 3;
  return minor >= 53 || (minor === 51 && patch >= 3);
};
