import type { Environment } from "./environment.ts";
import { systemFiles } from "./files.ts";
import { findProgram } from "./find-program.ts";
import { systemProcesses } from "./processes.ts";

/** Where the interpreter on the path keeps its own library; asked of it, isolated from everything else. */
export const pythonLibraries = async (environment: Environment): Promise<string[]> => {
  const program = findProgram("python3", environment, systemFiles);
  if (program === undefined) return [];
  const script =
    "import sysconfig; p = sysconfig.get_paths(); print(p['stdlib'], p['purelib'], p['platlib'], sep=chr(10))";
  const { HOME, PATH } = environment.variables;
  const result = await systemProcesses.run([program, "-I", "-c", script], {
    cwd: environment.temporary,
    env: { ...(HOME !== undefined && { HOME }), ...(PATH !== undefined && { PATH }) },
    timeoutMs: 5_000,
    outputBytesMax: 64 * 1024,
  });
  if (result.ended !== "exit" || result.code !== 0) return [];
  return [...new Set(result.stdout.toString("utf8").split("\n").filter(Boolean))];
};
