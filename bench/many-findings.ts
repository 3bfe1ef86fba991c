import type { Finding } from "../src/review/types.ts";

/** Words as frequent as in prose (Zipf), so that common ones give no cheap blocking. */
export const makeFindings = (count: number): Finding[] => {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const syllables = ["ba", "co", "du", "fe", "gi", "ha", "jo", "ku", "le", "mi", "na", "po", "ru"];
  const word = (rank: number): string => {
    let text = "";
    for (let left = rank + 20; left > 0; left = Math.floor(left / syllables.length)) {
      text += syllables[left % syllables.length];
    }
    return `${text}x`;
  };
  const anyWord = (): string => word(Math.floor(5000 ** random()));
  const findings: Finding[] = [];
  while (findings.length < count) {
    const own = Array.from({ length: 14 }, anyWord);
    const sightings = 1 + Math.floor(random() * 5);
    const from = Math.floor(random() * 12);
    for (let seen = 0; seen < sightings && findings.length < count; seen += 1) {
      const said = [
        ...own.filter(() => random() < 0.6),
        ...Array.from({ length: 16 }, anyWord),
      ].toSorted(() => random() - 0.5);
      findings.push({
        id: `f${findings.length}`,
        review: "one",
        reviewer: `r${(from + seen) % 12}`,
        title: said.slice(0, 8).join(" "),
        body: said.slice(8).join(" "),
        severity: "P2",
      });
    }
  }
  return findings;
};
