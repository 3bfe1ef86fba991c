import type { Preset } from "../preset.ts";

/**
 * Claude Code. To look: `--bare` (a request of 2 kB instead of 46 kB; no hooks, plugins or CLAUDE.md of
 * anybody) and no settings of the repository, which could send the key to another address. To write: the
 * repository's settings, because its hooks are the gate.
 */
export const claude: Preset = {
  program: "claude",
  family: "claude",
  keepsBudget: true,
  variables: [
    ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
    ...["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_BETAS"],
    ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
    ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"],
    ...["AWS_BEARER_TOKEN_BEDROCK", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION"],
    ...["GOOGLE_APPLICATION_CREDENTIALS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"],
  ],
  prepare: ({ program, request, spec, model, folder, environment }) => {
    const { readOnly, system, schema, budgetUsd, cwd, prompt } = request;
    const settings = spec.settings && folder.put("claude.json", JSON.stringify(spec.settings));
    // A token of an account is not read in bare mode, which then costs more context but works.
    const isBare = readOnly && !needsAccount(environment.variables);
    const tools = readOnly
      ? ["Read", "Grep", "Glob"]
      : ["Read", "Grep", "Glob", "Edit", "Write", "MultiEdit", ...(spec.shell ? ["Bash"] : [])];
    const allowed = readOnly ? tools : [...tools, "mcp__headgate"];
    return {
      argv: [
        program,
        ...["-p", "--output-format", "json", "--no-session-persistence"],
        ...(isBare ? ["--bare"] : []),
        // With a home of its own, the user has no settings either.
        ...(readOnly ? ["--setting-sources", "user"] : []),
        ...(readOnly ? ["--strict-mcp-config"] : []),
        ...["--tools", tools.join(",")],
        ...["--allowedTools", allowed.join(",")],
        ...["--permission-mode", readOnly ? "dontAsk" : "acceptEdits"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(system === undefined || system === ""
          ? []
          : ["--append-system-prompt-file", folder.put("system.md", system)]),
        ...(schema === undefined ? [] : ["--json-schema", JSON.stringify(schema)]),
        ...(budgetUsd === undefined ? [] : ["--max-budget-usd", String(budgetUsd)]),
        ...(settings === undefined ? [] : ["--settings", settings]),
        ...(spec.args ?? []),
      ],
      input: prompt,
      cwd,
      env: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_ERROR_REPORTING: "1",
      },
      // `subtype` says "success" even where the service refused: only `is_error` and the exit code count.
      output: {
        format: "json",
        text: "result",
        structured: "structured_output",
        inputTokens: [
          "usage.input_tokens",
          "usage.cache_creation_input_tokens",
          "usage.cache_read_input_tokens",
        ],
        outputTokens: "usage.output_tokens",
        costUsd: "total_cost_usd",
        error: "is_error",
      },
    };
  },
};

const needsAccount = (variables: Readonly<Record<string, string | undefined>>): boolean =>
  (variables["CLAUDE_CODE_OAUTH_TOKEN"] ?? "") !== "" &&
  (variables["ANTHROPIC_API_KEY"] ?? "") === "";
