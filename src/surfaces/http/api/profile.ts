/** GET /api/profile: what kind of project this is, and why. Looked at anew at most twice a minute. */
import { isoTime } from "../../../base/clock.ts";
import type { Profile } from "../../../profile/index.ts";
import type { ApiContext, App } from "./context.ts";
import type { ProfileAnswer } from "./shapes.ts";

export const addProfile = (app: App, { headgate, clock }: ApiContext): void => {
  let last: { readonly answer: Promise<ProfileAnswer>; readonly monoMs: number } | undefined;
  app.get("/api/profile", async (context) => {
    const nowMs = clock.monoMs();
    if (!last || nowMs - last.monoMs > keptMs) {
      const answer = look(headgate.repository.worktree, isoTime(clock.wallMs()));
      answer.catch(() => (last = undefined));
      last = { answer, monoMs: nowMs };
    }
    return context.json(await last.answer);
  });
};

const keptMs = 30_000;

const look = async (worktree: string, at: string): Promise<ProfileAnswer> => {
  const { detectProfile } = await import("../../../profile/index.ts");
  return { ...viewOf(await detectProfile(worktree)), at };
};

const viewOf = ({ primary, domains, packages, languages, notes }: Profile) => ({
  primary,
  domains: domains.map(({ name, confidence, state, evidence }) => ({
    ...{ name, confidence, state },
    evidence: evidence.slice(0, shownMax),
  })),
  packages: packages.slice(0, shownMax).map((one) => ({
    path: one.path,
    primary: one.primary,
    domains: one.domains.map(({ name }) => name),
  })),
  languages,
  notes: notes.slice(0, shownMax),
});

const shownMax = 200;
