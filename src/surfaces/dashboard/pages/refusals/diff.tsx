import type { DiffLine } from "../../../http/api/shapes.ts";
import { visible } from "../../words.tsx";

const signs = { same: " ", added: "+", removed: "−", gap: "⋯" } as const;
const spoken = { same: "", added: "added: ", removed: "removed: ", gap: "lines left out" } as const;

/** Lines as they were and would be; longer ones than a screen holds are cut by the server. */
export const Diff = ({ lines, isCut }: { lines: readonly DiffLine[]; isCut: boolean }) => (
  <>
    <div class="diff" tabIndex={0} role="region" aria-label="The change that was refused">
      {lines.slice(0, linesMax).map((line, index) => (
        <div key={index} class={`diff-line is-${line.kind}`}>
          <span class="diff-number">{line.old ?? ""}</span>
          <span class="diff-number">{line.now ?? ""}</span>
          <span class="diff-sign" aria-hidden="true">
            {signs[line.kind]}
          </span>
          <span class="sr-only">{spoken[line.kind]}</span>
          <span class="diff-text">{shown(line.text)}</span>
        </div>
      ))}
    </div>
    {(isCut || lines.length > linesMax) && <p class="note">The rest of the change is not shown.</p>}
  </>
);

const linesMax = 1000;

/** A tab is a tab here; everything else that hides is made visible. */
const shown = (text: string): string => text.split("\t").map(visible).join("\t") || " ";
