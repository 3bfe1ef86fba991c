import { join } from "node:path";
import type { Json } from "../../../base/json.ts";
import { wholePrompt } from "../exec-runner.ts";
import { linkLogin, lookerSystem, type Preset, type PresetAsk } from "../preset.ts";

/**
 * opencode. The repository's `opencode.json` and plugins would count more than anything that we say, and
 * plugins are code: to look it stands in an empty folder of its own, with the repository's settings off.
 */
export const opencode: Preset = {
  program: "opencode",
  family: "opencode",
  variables: [
    ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ...["OPENROUTER_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY", "DEEPSEEK_API_KEY"],
    ...["OPENCODE_API_KEY"],
  ],
  prepare: (ask) => {
    const { program, request, spec, model, folder, environment } = ask;
    const { readOnly, cwd, system } = request;
    const data = environment.variables["XDG_DATA_HOME"] ?? join(environment.home, ".local/share");
    linkLogin(ask, {
      keys: [],
      from: join(data, "opencode/auth.json"),
      to: "home/.local/share/opencode/auth.json",
    });
    if (!readOnly) linkPackages(ask);
    const deny = readOnly ? "deny" : "allow";
    const settings: Record<string, Json> = {
      ...(spec.settings as Record<string, Json> | undefined),
      share: "disabled",
      autoupdate: false,
      ...(readOnly && {
        agent: { headgate: { mode: "primary", prompt: system || lookerSystem } },
        tools: { skill: false, todowrite: false, todoread: false },
      }),
      permission: {
        edit: deny,
        bash: !readOnly && spec.shell ? "allow" : "deny",
        task: "deny",
        webfetch: "deny",
        websearch: "deny",
        external_directory: readOnly
          ? { "*": "deny", [join(cwd, "*")]: "allow", [join(cwd, "**")]: "allow" }
          : "deny",
      },
    };
    const stand = readOnly ? folder.makeFolder("stand") : cwd;
    return {
      argv: [
        program,
        ...["run", "--format", "json", "--title", "headgate"],
        ...(readOnly ? ["--pure", "--agent", "headgate"] : []),
        ...(model === undefined ? [] : ["-m", model]),
        ...(spec.args ?? []),
      ],
      input: readOnly
        ? `${request.prompt}\n\nThe repository is the folder ${cwd}.\n`
        : wholePrompt(request),
      cwd: stand,
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        ...(readOnly && {
          OPENCODE_DISABLE_PROJECT_CONFIG: "1",
          OPENCODE_DISABLE_CLAUDE_CODE: "1",
        }),
      },
      output: {
        format: "jsonl",
        text: "[type=text].part.text",
        inputTokens: [
          "[type=step_finish].part.tokens.input",
          "[type=step_finish].part.tokens.cache.read",
          "[type=step_finish].part.tokens.cache.write",
        ],
        outputTokens: [
          "[type=step_finish].part.tokens.output",
          "[type=step_finish].part.tokens.reasoning",
        ],
        costUsd: "[type=step_finish].part.cost",
        error: ["[type=error].error.data.message", "[type=error].error"],
      },
    };
  },
};

/** What plugins import. It is installed anew, over the network, in every home that has none. */
const linkPackages = ({ environment, files, folder }: PresetAsk): void => {
  if (environment.platform === "win32") return;
  const { XDG_CONFIG_HOME: given } = environment.variables;
  const config = join(given ?? join(environment.home, ".config"), "opencode");
  if (!files.statFollowing(join(config, "node_modules"))?.isDirectory()) return;
  for (const name of ["node_modules", "package.json", "package-lock.json", "bun.lock"]) {
    const from = join(config, name);
    if (files.statFollowing(from)) folder.linkTo(from, `home/.config/opencode/${name}`);
  }
};
