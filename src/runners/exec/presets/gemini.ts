import { join } from "node:path";
import type { Json } from "../../../base/json.ts";
import { wholePrompt } from "../exec-runner.ts";
import { linkLogin, lookerSystem, type Preset } from "../preset.ts";

const keys = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"];

/**
 * Gemini CLI. To look it stands in an empty folder of its own and is shown the repository as a second one:
 * settings, hooks and the `.env` of the folder that it stands in would count, and could run commands or
 * send the key elsewhere.
 */
export const gemini: Preset = {
  program: "gemini",
  family: "gemini",
  variables: [
    ...keys,
    ...["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GOOGLE_CLOUD_PROJECT"],
    ...["GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"],
  ],
  prepare: (ask) => {
    const { program, request, spec, model, folder, environment } = ask;
    const { readOnly, cwd, system } = request;
    const has = (name: string) => (environment.variables[name] ?? "") !== "";
    for (const name of ["oauth_creds.json", "google_accounts.json"]) {
      const from = join(environment.home, ".gemini", name);
      linkLogin(ask, { keys, from, to: `home/.gemini/${name}` });
    }
    const selectedType = has("GOOGLE_GENAI_USE_VERTEXAI")
      ? "vertex-ai"
      : has("GEMINI_API_KEY")
        ? "gemini-api-key"
        : "oauth-personal";
    const looking = [
      "read_file",
      "read_many_files",
      "list_directory",
      "glob",
      "search_file_content",
    ];
    const settings: Record<string, Json> = {
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      ...(readOnly && {
        tools: { core: [...looking, "grep_search"] },
      }),
      ...(spec.settings as Record<string, Json> | undefined),
      security: { auth: { selectedType }, folderTrust: { enabled: false } },
    };
    folder.put("home/.gemini/settings.json", JSON.stringify(settings));
    const stand = readOnly ? folder.makeFolder("stand") : cwd;
    return {
      argv: [
        program,
        ...["--output-format", "json"],
        ...(readOnly
          ? ["--approval-mode", "default", "--include-directories", cwd]
          : ["--approval-mode", spec.shell ? "yolo" : "auto_edit"]),
        ...["--extensions", "none"],
        ...(model === undefined ? [] : ["-m", model]),
        ...(spec.args ?? []),
        ...["-p", "Do what is asked above."],
      ],
      input: readOnly
        ? `${request.prompt}\n\nThe repository is the folder ${cwd}.\n`
        : wholePrompt(request),
      cwd: stand,
      env: {
        // Untrusted, it believes no GEMINI.md of the second folder either (its setting of another file
        // name only adds one); with the check of trust off it goes on all the same.
        GEMINI_CLI_TRUST_WORKSPACE: readOnly ? "false" : "true",
        // It would start itself again in a child with more memory.
        GEMINI_CLI_NO_RELAUNCH: "true",
        // Instead of 25 kB about how to write code.
        ...(readOnly && { GEMINI_SYSTEM_MD: folder.put("system.md", system || lookerSystem) }),
      },
      output: {
        format: "json",
        text: "response",
        inputTokens: "stats.models[*].tokens.prompt",
        outputTokens: ["stats.models[*].tokens.candidates", "stats.models[*].tokens.thoughts"],
        error: "error",
      },
    };
  },
  // Its error is JSON behind other lines; only the message is for people.
  readError: (stderr) => /"message":\s*"((?:[^"\\\n]|\\.)*)"/.exec(stderr)?.[1],
};
