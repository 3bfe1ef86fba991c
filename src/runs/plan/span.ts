/** `90s`, `15m`, `1h30m`, `90` (seconds) in milliseconds; undefined for anything else. */
export const parseSpan = (text: string): number | undefined => {
  const given = text.trim();
  if (given.length === 0 || given.length > 40) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(given)) return Math.round(Number(given) * 1000);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(given)) return undefined;
  let total = 0;
  for (const [, number = "", unit = ""] of given.matchAll(/([\d.]+)(ms|[smhd])/g)) {
    total += Number(number) * (unitMs[unit] ?? Number.NaN);
  }
  return Math.round(total);
};

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
