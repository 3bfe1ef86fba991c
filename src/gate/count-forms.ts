/**
 * The forms of tests, assertions and suppressed checks in each language. Patterns are read over the code alone, where
 * strings and comments are empty space, or over the comments alone; so `// it(` and "expect(" count for nothing.
 */

export interface CountForms {
  readonly tests: RegExp;
  readonly assertions: RegExp;
  readonly skipped: RegExp;
  readonly focused?: RegExp;
  readonly debugging?: RegExp;
  /** These words mean tests only in a file that is one. */
  readonly needsTestFile?: true;
}

const script: CountForms = {
  tests:
    /(?<![\w$.]|function\s)(?:[fx]?it|x?test|specify)(?:\.(?:only|skip|todo|concurrent|sequential|fails|failing|each|for)|\.(?:skipIf|runIf)\([^()]*\))*\s*(?=[(<])/g,
  assertions: /(?<![\w$.]|function\s)(?:expect(?:TypeOf)?|assert\w*)(?:\.\w+)*\s*\(|\.should\b/g,
  skipped:
    /(?<![\w$.])(?:it|test|describe|suite|context|bench)(?:\.\w+)*\.(?:skip|todo|fixme)\b|(?<![\w$.]|function\s)x(?:it|test|describe|context)\s*\(/g,
  focused:
    /(?<![\w$.])(?:it|test|describe|suite|context|bench)(?:\.\w+)*\.only\b|(?<![\w$.]|function\s)f(?:it|describe|context)\s*\(/g,
  debugging: /(?<![\w$.])debugger\s*(?=[;\r\n}]|$)/g,
  needsTestFile: true,
};

const annotated: CountForms = {
  tests: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b/g,
  assertions: /\bassert\w*\s*\(|\bassert\s+(?!\()|\bshould\w*\s*\(|\bverify\s*\(/g,
  skipped: /@(?:Disabled|Ignore)\b/g,
};

const cFamily: CountForms = {
  tests:
    /\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|TEST_METHOD|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(/g,
  assertions: /\b(?:ASSERT|EXPECT|REQUIRE|CHECK)(?:_\w+)?\s*\(|\bassert\s*\(/g,
  skipped: /\bGTEST_SKIP\b|\bDISABLED_\w+/g,
};

export const formsByLanguage: Readonly<Record<string, CountForms>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  vue: script,
  svelte: script,
  python: {
    tests: /^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*/gm,
    assertions: /(?<!\w|def )assert\w*(?=[\s(])|\bpytest\.(?:raises|warns)\s*\(/g,
    skipped:
      /@(?:pytest\.mark\.(?:skip(?:if)?|xfail)|unittest\.(?:skip\w*|expectedFailure)|skip(?:If|Unless)?)\b|\bpytest\.(?:skip|xfail)\s*\(|\.skipTest\s*\(/g,
    debugging: /(?<![\w.])breakpoint\s*\(|\b(?:pdb|ipdb)\.set_trace\s*\(/g,
  },
  go: {
    tests: /^func[ \t]+(?:\([^)]*\)[ \t]*)?(?:Test|Benchmark|Fuzz|Example)\w*[ \t]*\(/gm,
    assertions:
      /\b(?:assert|require)\.\w+\s*\(|\b[a-z]\w*\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(/g,
    skipped: /\.(?:Skip|Skipf|SkipNow)\s*\(/g,
    debugging: /\bruntime\.Breakpoint\s*\(/g,
    needsTestFile: true,
  },
  rust: {
    tests: /#\[\s*(?:[\w:]+::)?(?:test|rstest|test_case|quickcheck)\b/g,
    assertions: /\b(?:debug_)?assert(?:_\w+)?!/g,
    skipped: /#\[\s*ignore\b/g,
    debugging: /\bdbg!\s*\(/g,
  },
  java: annotated,
  kotlin: annotated,
  scala: annotated,
  csharp: {
    tests: /\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/g,
    assertions: /\bAssert\.\w+|\.Should\s*\(\s*\)/g,
    skipped: /\bSkip\s*=|\[\s*Ignore\b/g,
    debugging: /\bDebugger\.(?:Break|Launch)\s*\(/g,
  },
  swift: {
    tests: /\bfunc\s+test\w*\s*\(|@Test\b/g,
    assertions: /\bXCT(?:Assert|Unwrap|Fail)\w*\s*\(|#(?:expect|require)\b/g,
    skipped: /\bXCTSkip\w*/g,
  },
  ruby: {
    tests: /^[ \t]*(?:[fx]?it|specify|scenario|test)\b(?=[ \t({])|^[ \t]*def[ \t]+test_\w+/gm,
    assertions: /\b(?:assert|refute)(?:_\w+)?\b|(?<![\w.])expect\s*[({]|\.should\b/g,
    skipped: /^[ \t]*(?:x(?:it|describe|context)|skip|pending)\b/gm,
    focused: /^[ \t]*f(?:it|describe|context)\b/gm,
    debugging: /(?<![\w.])(?:binding\.(?:pry|irb|b)|byebug)\b/g,
    needsTestFile: true,
  },
  php: {
    tests: /\bfunction\s+test\w*\s*\(|#\[\s*Test\b|(?<![\w$>:])(?:it|test)\s*\(/g,
    assertions: /(?:->|::)assert\w+\s*\(|(?<![\w$>:])expect\s*\(/g,
    skipped: /\bmarkTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo)\s*\(/g,
    focused: /->only\s*\(\s*\)/g,
    debugging: /(?<![\w$>:])(?:dd|var_dump|xdebug_break)\s*\(/g,
    needsTestFile: true,
  },
  c: cFamily,
  cpp: cFamily,
  elixir: {
    tests: /^[ \t]*(?:test|property)\b(?=[ \t(])/gm,
    assertions: /(?<![\w.])(?:assert|refute)\w*\b/g,
    skipped: /@tag\s+:?skip\b/g,
    debugging: /\bIEx\.pry\b/g,
    needsTestFile: true,
  },
};

/** In comments: a checker is asked to look away. */
export const suppressedInComments =
  /@ts-(?:ignore|expect-error|nocheck)\b|\b(?:eslint|oxlint|tslint|stylelint)[-:]disable[\w-]*|\bbiome-ignore\b|\b(?:istanbul|c8|v8) ignore\b|\$FlowFixMe\b|\bnoqa\b|\btype:\s*ignore\b|\bpylint:\s*disable\b|\bpyright:\s*ignore\b|\bmypy:\s*ignore|\bpragma:\s*no cover\b|\bnosec\b|\bnolint\b|\bNOLINT\w*|\bNOSONAR\b|\bnoinspection\b|\bshellcheck\s+disable\b|\brubocop:\s*(?:disable|todo)\b|\bphpcs:\s*(?:ignore|disable)\b|@phpstan-ignore|@psalm-suppress|\bswiftlint:\s*disable|\bktlint-disable\b|\bReSharper disable\b|\bcheckstyle:\s*off\b/gi;

/** In code: attributes and directives to the same end. */
export const suppressedInCode =
  /@SuppressWarnings\b|@Suppress\s*\(|#!?\[\s*(?:allow|expect)\s*\(|#\s*pragma\s+warning\s+disable|#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored|\[\s*SuppressMessage\b/g;
