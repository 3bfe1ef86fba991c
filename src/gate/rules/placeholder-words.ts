/**
 * The wordings of a comment that says no more than that code is left out: "... existing code ...", "rest unchanged",
 * "[rest of the file]". The whole comment must be such a phrase, because people use all of these words. Measured: no hit in
 * 2.6 million comment lines of 18 public projects; 94 of 100 wordings of the list in test/gate/data that it was not tuned on.
 */
export const isPlaceholder = (line: string): boolean => {
  // Some clients have their models write this line by itself.
  if (gap.test(line)) return true;
  // A line that is set in further is an example in a text.
  const comment = /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s{0,2}(?!\s)(.*?)\s*(?:\*\/\}?|-->)?$/.exec(
    line,
  )?.[1];
  if (comment === undefined || comment === "" || comment.length > 90) return false;
  const { words, dots, isBracketed } = unwrap(comment.toLowerCase());
  if (words === "") return gap.test(comment);
  if (says.test(words)) return true;
  if (dots === 2) return hints.test(words);
  // One word in brackets may be the end of a sentence.
  if (isBracketed && (words.includes(" ") || !comment.startsWith("("))) return hints.test(words);
  return dots === 1 && namesCode.test(words);
};

const gap = /^\{\{\s*(?:\.{3}|…)\s*\}\}$/;

/** Without brackets, dots and a leading "note:". `dots`: on how many sides. */
const unwrap = (comment: string) => {
  let words = comment;
  let isBracketed = false;
  const sides = new Set<"before" | "after">();
  for (let isMore = true; isMore;) {
    const old = words;
    words = words.replace(/^(?:\.{3,}|…)\s*/, () => (sides.add("before"), ""));
    words = words.replace(/(?:(?<!\s)\s+|(?<![\s.]))(?:\.{3,}|…)$/, () => (sides.add("after"), ""));
    const inner =
      /^(?:\[(.*)\]|\((.*)\)|<(.*)>|\{\{(.*)\}\}|\{(.*)\}|-{2,3}\s+(\S|\S.*\S)\s+-{2,3})[.:]?$/.exec(
        words,
      );
    if (inner) {
      words = inner.slice(1).find((part) => part !== undefined) ?? "";
      isBracketed = true;
    }
    words = words.replace(/^note:\s*/, "").trim();
    isMore = words !== old;
  }
  return {
    words: words.replaceAll(/[_\s]+/g, " ").replace(/[.:,]$/, ""),
    dots: sides.size,
    isBracketed,
  };
};

const part =
  "(?:(?:function |method |class )?body|code|file|class|methods?|functions?|implementation|imports?|logic|contents?|component|module|script|tests?|test cases?|cases|fields|properties|props|routes|lines|styles|state|hooks|handlers|config|dependencies|setup|jsx|parts?(?: of the (?:file|code|class))?)";
const the = "(?:(?:the|this|your|my) )?";
const rest = `${the}rest(?: of ${the}(?:existing |original )?${part})?`;
const restOf = `${the}rest of ${the}(?:existing |original )?${part}`;
const left = `(?:all )?${the}(?:remaining|other|existing|previous|original|current|unchanged|same|other existing) ${part}`;
const own = `${the}(?:existing|previous|original|remaining|current) ${part}`;
const all = "everything (?:else|below|above|after this|before this)";
const stays =
  "(?:(?:is|are) )?(?:unchanged|the same(?: as before)?|(?:remains?|stays?|kept|left) (?:the same|unchanged|as(?: it)? is|as before)|as before)";
const gone =
  "(?:(?:is|are) )?(?:omitted|elided|truncated|shortened|abbreviated|snipped|skipped|removed|left out|not shown)";
const brevity = "(?: here)?(?: for (?:the sake of )?brevity)?";

/** "Original file unchanged" tells what a program does to its data. */
const unlike = `(?!${the}(?:original|current|previous|existing|same) (?:file|state|contents?) )`;

/** Says what is left out and that it is. */
const says = new RegExp(
  `^(?:${[
    `(?:${rest}|${unlike}${left}|${all}) ${stays}`,
    `(?:${restOf}|${left}) ${gone}${brevity}`,
    `${rest} ${gone} for brevity`,
    `(?:${restOf}|(?:insert )?${own}) (?:(?:goes|continues?|stays) )?here`,
    `(?:(?:other |unchanged )?${part}|details) ${gone} for brevity`,
    `${gone} for brevity`,
    `for brevity,? (?:${rest}|${left}) ${gone}`,
    `(?:keep|leave) (?:${restOf}|${the}rest|${all}|all ${left}|${own})(?: (?:as(?: it)? is|unchanged|the same|here|intact))`,
    `keep (?:${restOf}|${own})`,
    `(?:code|implementation|lines?) (?:above |below )?(?:omitted|unchanged|elided)`,
    `(?:the )?code (?:above|below) (?:is|remains|stays) (?:unchanged|the same)`,
    `existing code (?:continues|remains|above|below)|your existing code`,
    `no (?:other |further )?changes (?:below|above)(?: this line)?|unchanged (?:from here|below|above)`,
    `rest (?:of it )?elided`,
    `same (?:code |implementation )?as before`,
    `(?:lines? )?\\d+ ?(?:-|–|to) ?\\d+ (?:unchanged|omitted)|\\d+ lines (?:unchanged|omitted)`,
  ].join("|")})$`,
);

/** Enough in brackets or between dots. */
const hints = new RegExp(
  `^(?:${[
    rest,
    left,
    `${rest} ${gone}`,
    `keep (?:${rest}|${all}|${own})`,
    `unchanged|omitted|truncated|snip|snipped|elided|skipped|same as (?:before|above)|existing code (?:unchanged|here)`,
    `(?:${part} )?(?:unchanged|omitted|continues)`,
    `omitted ${part}`,
    `rest (?:of it )?${stays}`,
    "more (?:methods|functions)",
  ].join("|")})$`,
);

/** Dots on one side are ordinary punctuation: only what can be nothing but code counts. */
const code =
  "(?:code|implementation|methods|functions|imports|logic|file|class|component|function|body)";
const namesCode = new RegExp(
  `^(?:${the}rest of ${the}${code}|${the}(?:existing|remaining|previous|original) (?:code|implementation|methods|functions|imports|logic))$`,
);
