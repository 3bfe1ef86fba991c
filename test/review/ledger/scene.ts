/** Reviews as a dispatcher would hand them to the ledger, without models. */
import { sha256 } from "../../../src/base/sha256.ts";
import type {
  Finding,
  Ledger,
  Report,
  Severity,
  Subject,
  SubjectFile,
} from "../../../src/review/index.ts";
import { synthesizeReports } from "../../../src/review/index.ts";

export interface Said {
  readonly reviewer?: string;
  readonly title: string;
  readonly body?: string;
  readonly path?: string;
  readonly line?: number;
  readonly severity?: Severity;
  readonly rule?: string;
  readonly kind?: string;
}

export const wholeFiles = (files: Readonly<Record<string, string>>, name = "src"): Subject => ({
  kind: "files",
  name,
  files: Object.entries(files).map(([path, after]): SubjectFile => {
    return { path, status: "whole", hunks: [], after };
  }),
  digest: sha256(JSON.stringify(files)),
});

export interface Scene {
  readonly subject: Subject;
  readonly said: readonly Said[];
  /** Who was asked; those who said something unless told. */
  readonly asked?: readonly string[];
  readonly id?: string;
  readonly states?: Readonly<Record<string, Report["state"]>>;
  readonly skips?: (reviewer: string, path: string) => boolean;
}

export const reportsOf = (review: string, scene: Scene): Report[] => {
  const { said, asked = [...new Set(said.map(({ reviewer = "fd-one" }) => reviewer))] } = scene;
  return asked.map((reviewer): Report => {
    const own = said.filter((one) => (one.reviewer ?? "fd-one") === reviewer);
    return {
      reviewer,
      family: reviewer,
      state: scene.states?.[reviewer] ?? "strict",
      findings: own.map((one, index): Finding => ({
        id: `${reviewer}/${index}`,
        review,
        family: reviewer,
        severity: "P2",
        ...one,
        reviewer,
      })),
      problems: [],
    };
  });
};

/** A whole review: begun, answered by everybody, finished. */
export const hold = async (ledger: Ledger, scene: Scene) => {
  const { subject, id } = scene;
  const begun = await ledger.begin({ subject, ...(id !== undefined && { id }) });
  const reports = reportsOf(begun.id, scene);
  for (const report of reports) {
    const { reviewer } = report;
    const run = { reviewer, runner: "fixture", family: reviewer, model: `${reviewer}-model` };
    await ledger.saveReport(begun.id, { ...run, report, text: `report of ${reviewer}` });
  }
  const { skips } = scene;
  return ledger.finish(begun.id, {
    synthesis: synthesizeReports(reports),
    findings: reports.flatMap(({ findings }) => findings),
    subject,
    ...(skips && { skips }),
  });
};
