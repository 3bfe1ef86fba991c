/** The linters that a review can run, what configures them, and what they print. */

export interface LinterTool {
  readonly name: string;
  /** Files that it looks at. */
  readonly files: RegExp;
  /** Any of them says that the repository uses it; they are taken as they were before the change. */
  readonly configs: readonly string[];
  /** Files that the configuration needs beside it. */
  readonly beside?: readonly string[];
  /** Its configuration is a program: only in repositories that the user's settings name. */
  readonly isCode?: true;
  /** Of a file that serves others as well, what must be in it. */
  readonly marker?: RegExp;
  /** Absent: it runs inside Headgate. */
  readonly run?: {
    argv(program: string, files: readonly string[]): readonly [string, ...string[]];
    readonly format: "checkstyle" | "eslint" | "sarif";
    /** Its output in place of a report where its configuration leaves all files out. */
    readonly nothing?: RegExp;
  };
}

const script = /\.[cm]?[jt]sx?$/;

export const tools: readonly LinterTool[] = [
  {
    name: "ruff",
    files: /\.pyi?$/,
    configs: ["ruff.toml", ".ruff.toml", "pyproject.toml"],
    marker: /^[ \t]*\[tool\.ruff[.\]]/m,
  },
  {
    name: "oxlint",
    files: script,
    configs: [".oxlintrc.json", ".oxlintrc.jsonc"],
    run: {
      argv: (program, files) => [program, "--format=checkstyle", ...files],
      format: "checkstyle",
      nothing: /^No files found to lint/,
    },
  },
  {
    name: "biome",
    files: /\.(?:[cm]?[jt]sx?|jsonc?|css)$/,
    configs: ["biome.json", "biome.jsonc"],
    run: {
      // The ignore file that a configuration may ask for is not there: only the changed files are.
      argv: (program, files) => [
        ...([program, "lint", "--reporter=sarif", "--vcs-enabled=false"] as const),
        ...["--max-diagnostics=none", ...files],
      ],
      format: "sarif",
    },
  },
  {
    name: "shellcheck",
    files: /\.(?:sh|bash|ksh|dash|bats)$/,
    configs: [".shellcheckrc", "shellcheckrc"],
    run: {
      argv: (program, files) => [program, "--format=checkstyle", ...files],
      format: "checkstyle",
    },
  },
  {
    name: "semgrep",
    files: /\.[A-Za-z]+$/,
    configs: [".semgrep.yml", ".semgrep.yaml"],
    run: {
      argv: (program, files) => [
        ...([program, "scan", "--sarif", "--quiet", "--metrics=off"] as const),
        ...["--disable-version-check", "--config=.semgrep.yml", ...files],
      ],
      format: "sarif",
    },
  },
  {
    name: "eslint",
    files: script,
    configs: ["eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts"],
    // It says whether a `.js` file is a module.
    beside: ["package.json"],
    isCode: true,
    run: {
      argv: (program, files) => [program, "--format=json", "--no-warn-ignored", ...files],
      format: "eslint",
    },
  },
];

export const toolNames = tools.map(({ name }) => name);
