/** Any program by an argv template. */
import { familyOf } from "../family.ts";
import type { ExecSpec, Ports } from "../spec.ts";
import type { Runner, RunRequest } from "../types.ts";
import { findProgram } from "./find-program.ts";
import { runProgram } from "./run-program.ts";
import { fillTemplate, placeholdersIn } from "./template.ts";

export const execRunner = (name: string, spec: ExecSpec, ports: Ports): Runner => {
  const [first = "", ...args] = spec.argv;
  const program = findProgram(first, name, ports);
  const used = placeholdersIn(args);
  const { model } = spec;
  return {
    name,
    family: spec.family ?? familyOf(model) ?? name,
    ...(model !== undefined && { model }),
    cost: {
      ...(spec.prices && { prices: spec.prices }),
      ...(spec.outputTokensMax !== undefined && { outputTokensMax: spec.outputTokensMax }),
    },
    run: (request, { signal, onProgress, onPrinted }) =>
      runProgram(
        {
          request,
          signal,
          onProgress,
          onPrinted,
          pass: spec.variables ?? [],
          ownHome: spec.home === "own",
          model: request.model ?? model,
          prices: spec.prices,
          prepare: (folder) => {
            const prompt = wholePrompt(request);
            const asked = request.model ?? model;
            const argv = fillTemplate([program, ...args], {
              prompt,
              cwd: request.cwd,
              ...(asked !== undefined && { model: asked }),
              ...(used.has("promptFile") && { promptFile: folder.put("prompt.md", prompt) }),
              ...(used.has("schemaFile") && {
                schemaFile: folder.put("schema.json", JSON.stringify(request.schema ?? {})),
              }),
            });
            if (typeof argv === "string") return argv;
            const byArgument = used.has("prompt") || used.has("promptFile");
            return {
              argv,
              ...(!byArgument && { input: prompt }),
              cwd: request.cwd,
              env: {},
              output: spec.output ?? { format: "text" },
            };
          },
        },
        ports,
      ),
  };
};

/** Programs that take one text get both. */
export const wholePrompt = ({ system, prompt }: RunRequest): string =>
  system === undefined || system === "" ? prompt : `${system}\n\n${prompt}`;
