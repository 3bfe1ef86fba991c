import { nearestName } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { SignalIndex } from "./signal-index.ts";
import type { Domain, Profile, ProfileOverride } from "./types.ts";

/** What the user said wins over what was found; the evidence stays, so that both can be seen. */
export const applyOverride = (
  profile: Profile,
  override: ProfileOverride,
  index: SignalIndex,
): Profile => {
  const { domains, add = [], remove = [], primary } = override;
  const names = [
    ...(domains ?? []),
    ...add,
    ...remove,
    ...(primary === undefined ? [] : [primary]),
  ];
  for (const name of names) checkName(name, index);
  const wanted = [...(domains ?? []), ...add];
  const found = profile.domains.filter(
    ({ name }) => !wanted.includes(name) && !remove.includes(name) && domains === undefined,
  );
  const said = wanted.map((name): Domain => {
    const evidence = profile.domains.find((one) => one.name === name)?.evidence ?? [];
    const own = { signal: "override", path: ".", weight: 1 };
    return { name, confidence: 1, state: "detected", evidence: [own, ...evidence] };
  });
  const stays =
    profile.primary !== null && !remove.includes(profile.primary) ? profile.primary : null;
  return {
    ...profile,
    domains: [...said, ...found],
    primary: primary ?? domains?.[0] ?? stays,
  };
};

const checkName = (name: string, index: SignalIndex): void => {
  const known = index.signals.map(({ domain }) => domain);
  if (known.includes(name)) return;
  const near = nearestName(name, known);
  const hint = near === undefined ? `one of ${known.join(", ")}` : `did you mean ${near}?`;
  throw new HeadgateError("USAGE", `no domain is called ${JSON.stringify(name)}: ${hint}`);
};
