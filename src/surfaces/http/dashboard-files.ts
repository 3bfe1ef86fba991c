/** The built page (dist/dashboard): plain files without anything of the repository in them. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { packageRoot } from "../setup/packaged.ts";

export interface DashboardFiles {
  page(): string;
  /** Undefined for a name that is none of them. */
  asset(name: string): { readonly body: string; readonly type: string } | undefined;
}

export const openDashboardFiles = (): DashboardFiles => {
  const folder = join(packageRoot(), "dist/dashboard");
  const read = new Map<string, string>();
  const text = (path: string): string => {
    const known = read.get(path) ?? systemFiles.readFile(join(folder, path)).toString("utf8");
    read.set(path, known);
    return known;
  };
  return {
    page: () => {
      if (systemFiles.stat(join(folder, "index.html"))) return text("index.html");
      throw new HeadgateError("HTTP_NOT_FOUND", "the dashboard was not built (npm run build)");
    },
    asset: (name) => {
      const type = types[/^[a-z0-9-]+\.(js|css)$/.exec(name)?.[1] ?? ""];
      const path = `assets/${name}`;
      if (type === undefined || !systemFiles.stat(join(folder, path))?.isFile()) return undefined;
      return { body: text(path), type };
    },
  };
};

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** A gate in a channel: without it every browser asks for one and notes an error. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path d="M1 3h14v2H1z" fill="#5b6b7b"/><path d="M2 5h2v10H2zM12 5h2v10h-2z" fill="#5b6b7b"/>
<path d="M5 6h6v5H5z" fill="#1f7a8c"/><path d="M4 13h8v2H4z" fill="#7fc8d8"/>
</svg>
`;
