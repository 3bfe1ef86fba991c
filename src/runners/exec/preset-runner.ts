import { familyOf } from "../family.ts";
import type { Ports, PresetSpec } from "../spec.ts";
import type { Runner } from "../types.ts";
import { findProgram } from "./find-program.ts";
import type { Preset } from "./preset.ts";
import { claude } from "./presets/claude.ts";
import { codex } from "./presets/codex.ts";
import { gemini } from "./presets/gemini.ts";
import { opencode } from "./presets/opencode.ts";
import { runProgram } from "./run-program.ts";

const presets: Readonly<Record<PresetSpec["preset"], Preset>> = { claude, codex, gemini, opencode };

export const presetRunner = (name: string, spec: PresetSpec, ports: Ports): Runner => {
  const preset = presets[spec.preset];
  const program = findProgram(spec.program ?? preset.program, name, ports);
  const { model } = spec;
  return {
    name,
    family: spec.family ?? familyOf(model) ?? preset.family,
    ...(model !== undefined && { model }),
    readsFiles: true,
    cost: {
      ...(spec.prices && { prices: spec.prices }),
      ...(spec.outputTokensMax !== undefined && { outputTokensMax: spec.outputTokensMax }),
      ...(preset.keepsBudget && { keepsBudget: true }),
    },
    run: (request, { signal, onProgress, onPrinted }) =>
      runProgram(
        {
          request,
          signal,
          onProgress,
          onPrinted,
          pass: [...preset.variables, ...(spec.variables ?? [])],
          ownHome: false,
          model: request.model ?? model,
          prices: spec.prices,
          prepare: (folder) =>
            preset.prepare({
              ...ports,
              program,
              request,
              spec,
              folder,
              model: request.model ?? model,
            }),
          ...(preset.readError && { readError: preset.readError }),
        },
        ports,
      ),
  };
};
