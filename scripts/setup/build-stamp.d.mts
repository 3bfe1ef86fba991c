export function isBuildFresh(): boolean;
