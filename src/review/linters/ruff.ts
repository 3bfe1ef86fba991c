/** Ruff inside Headgate: its configuration is data, and no program is started. */
import { parse } from "smol-toml";
import type { Finding, Severity } from "../types.ts";

interface RuffDiagnostic {
  readonly code: string | null;
  readonly message: string;
  readonly start_location: { readonly row: number };
}

/** Throws an Error whose message says what of the settings ruff does not understand. */
export const ruffFor = async (
  config: { readonly name: string; readonly text: string } | undefined,
): Promise<(path: string, text: string) => Omit<Finding, "review">[]> => {
  const { PositionEncoding, Workspace } = await import("@astral-sh/ruff-wasm-nodejs");
  const workspace = new Workspace(readOptions(config), PositionEncoding.Utf16);
  return (path, text) =>
    (workspace.check(text) as RuffDiagnostic[]).map(
      ({ code, message, start_location: { row } }, at) => ({
        ...{ id: `ruff/${path}/${row}/${code ?? "syntax"}/${at}`, reviewer: "ruff" },
        ...{ title: message, path, line: row, rule: code ?? "syntax", severity: gradeFor(code) },
      }),
    );
};

const readOptions = (config: { readonly name: string; readonly text: string } | undefined) => {
  if (!config) return {};
  const whole = parse(config.text) as Record<string, Record<string, unknown> | undefined>;
  const own = config.name.endsWith("pyproject.toml") ? (whole["tool"]?.["ruff"] ?? {}) : whole;
  // Other files cannot be reached from here; what names them is left out.
  const { extend: _, ...options } = own as Record<string, unknown>;
  return options;
};

/** Wrong in every style: names that do not exist, comparisons that cannot hold, likely bugs, security. */
const gradeFor = (code: string | null): Severity =>
  code === null || /^(?:F[5-9]|E9|PLE|B0|S[1-7])/.test(code) ? "P2" : "P3";
