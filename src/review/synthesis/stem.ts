/** Cuts the commonest English endings, so that "retries", "retried" and "retry" are one word. */
export const stemOf = (word: string): string => {
  if (word.length < 4 || /\d/.test(word)) return word;
  let stem = word;
  for (const [ending, instead, lengthMin] of endings) {
    if (stem.length - ending.length < lengthMin || !stem.endsWith(ending)) continue;
    stem = stem.slice(0, stem.length - ending.length) + instead;
    break;
  }
  // "running" → "runn" → "run"; "ss", "ll", "zz" belong to the word ("pass", "null").
  if (/([bcdfgkmnprt])\1$/.test(stem) && stem.length > 3) stem = stem.slice(0, -1);
  if (stem.length > 4 && stem.endsWith("e")) stem = stem.slice(0, -1);
  if (stem.length > 4 && stem.endsWith("y")) stem = `${stem.slice(0, -1)}i`;
  return stem;
};

const endings: readonly (readonly [ending: string, instead: string, lengthMin: number])[] = [
  ["ization", "ize", 3],
  ["isation", "ize", 3],
  ["ational", "ate", 3],
  ["fulness", "ful", 3],
  ["ations", "ate", 3],
  ["ation", "ate", 3],
  ["ements", "", 4],
  ["ement", "", 4],
  ["ities", "", 4],
  ["ising", "ize", 3],
  ["izing", "ize", 3],
  ["ised", "ize", 3],
  ["ized", "ize", 3],
  ["ises", "ize", 3],
  ["izes", "ize", 3],
  ["ise", "ize", 3],
  ["ators", "ate", 3],
  ["ator", "ate", 3],
  ["ness", "", 3],
  ["ably", "", 4],
  ["able", "", 4],
  ["ible", "", 4],
  ["ingly", "", 3],
  ["edly", "", 3],
  ["ings", "", 3],
  ["ing", "", 3],
  ["ions", "", 4],
  ["ion", "", 4],
  ["ity", "", 4],
  ["ies", "y", 2],
  ["ied", "y", 2],
  ["sses", "ss", 2],
  ["shes", "sh", 2],
  ["ches", "ch", 2],
  ["xes", "x", 2],
  ["ers", "", 4],
  ["er", "", 4],
  ["ed", "", 3],
  ["ally", "al", 3],
  ["ly", "", 3],
  ["es", "e", 3],
  ["ss", "ss", 0],
  ["us", "us", 0],
  ["is", "is", 0],
  ["s", "", 3],
];
