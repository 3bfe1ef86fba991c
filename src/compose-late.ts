/** Parts of the object graph that are there at once and loaded by their first use. */
import type { Routing } from "./routing/index.ts";

export const lateRouting = (load: () => Promise<Routing>): Routing => {
  let loaded: Promise<Routing> | undefined;
  const routing = (): Promise<Routing> => (loaded ??= load());
  return {
    view: async () => (await routing()).view(),
    status: async () => (await routing()).status(),
    patterns: async (options) => (await routing()).patterns(options),
    propose: async (request) => (await routing()).propose(request),
    approve: async (request) => (await routing()).approve(request),
    apply: async (id) => (await routing()).apply(id),
    revert: async (request) => (await routing()).revert(request),
    unblock: async (pattern) => (await routing()).unblock(pattern),
    block: async (request) => (await routing()).block(request),
    autonomy: async (set) => (await routing()).autonomy(set),
    evidence: {
      add: async (entry) => (await routing()).evidence.add(entry),
      import: async (text) => (await routing()).evidence.import(text),
      list: async (filter) => (await routing()).evidence.list(filter),
      confirm: async (filter) => (await routing()).evidence.confirm(filter),
      discard: async (filter) => (await routing()).evidence.discard(filter),
    },
    canary: {
      list: async () => (await routing()).canary.list(),
      record: async (request) => (await routing()).canary.record(request),
      shadow: async (result) => (await routing()).canary.shadow(result),
      used: async (reviewers) => (await routing()).canary.used(reviewers),
      escape: async (request) => (await routing()).canary.escape(request),
      extend: async (reviewer) => (await routing()).canary.extend(reviewer),
      check: async () => (await routing()).canary.check(),
    },
    recordProbe: async (probe) => (await routing()).recordProbe(probe),
    recover: async () => (await routing()).recover(),
    rebuild: async () => (await routing()).rebuild(),
    verify: async () => (await routing()).verify(),
  };
};
