import { isBuildFresh } from "../../scripts/setup/build-stamp.mjs";

/** For tests that drive dist: an old build would prove nothing about the sources. Vitest alone does not build. */
export const requireFreshBuild = (): void => {
  if (isBuildFresh()) return;
  throw new Error("dist is older than src: run `npm run build` (npm test does it by itself)");
};
