import { join } from "node:path";
import { wholePrompt } from "../exec-runner.ts";
import { linkLogin, type Preset } from "../preset.ts";

/**
 * Codex. It waits for its input unless that is closed, and with a dead service it tries again for ever:
 * the prompt comes by standard input, the end by our clock. Repository settings count only where the
 * folder is trusted, which it is for writing alone.
 */
export const codex: Preset = {
  program: "codex",
  family: "gpt",
  variables: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORGANIZATION"],
  prepare: (ask) => {
    const { program, request, spec, model, folder, environment } = ask;
    const { readOnly, schema, cwd } = request;
    linkLogin(ask, {
      keys: ["CODEX_API_KEY"],
      from: join(
        environment.variables["CODEX_HOME"] ?? join(environment.home, ".codex"),
        "auth.json",
      ),
      to: "home/.codex/auth.json",
    });
    folder.makeFolder("home/.codex");
    const key = environment.variables["CODEX_API_KEY"] ?? environment.variables["OPENAI_API_KEY"];
    const trust = readOnly ? "untrusted" : "trusted";
    return {
      argv: [
        program,
        ...["exec", "--json", "--ephemeral", "--skip-git-repo-check"],
        ...["-s", readOnly ? "read-only" : "workspace-write"],
        ...["--disable", "plugins"],
        // A home of its own has no list of trusted hooks, and the repository's are the gate.
        ...(readOnly ? ["--disable", "hooks"] : ["--dangerously-bypass-hook-trust"]),
        ...["-c", `projects={${JSON.stringify(cwd)}={trust_level="${trust}"}}`],
        ...["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"],
        // Instructions of the repository are what is reviewed, not who reviews.
        ...(readOnly ? ["-c", "project_doc_max_bytes=0", "-c", 'web_search="disabled"'] : []),
        ...["-c", 'shell_environment_policy.exclude=["*KEY*","*TOKEN*","*SECRET*"]'],
        ...(model === undefined ? [] : ["-m", model]),
        ...(schema === undefined
          ? []
          : ["--output-schema", folder.put("schema.json", JSON.stringify(schema))]),
        ...(spec.args ?? []),
        "-",
      ],
      input: wholePrompt(request),
      cwd,
      env: {
        CODEX_HOME: join(folder.path, "home/.codex"),
        ...(key !== undefined && { CODEX_API_KEY: key }),
      },
      output: {
        format: "jsonl",
        text: "[type=item.completed].item[type=agent_message].text",
        inputTokens: "[type=turn.completed].usage.input_tokens",
        outputTokens: "[type=turn.completed].usage.output_tokens",
        error: ["[type=turn.failed].error"],
      },
    };
  },
};
