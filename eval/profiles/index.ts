import { compiled } from "./compiled.ts";
import type { Profile } from "./profile.ts";
import { scripts } from "./scripts.ts";

export { fit, type Profile } from "./profile.ts";
export const profiles: Readonly<Record<string, Profile>> = { ...scripts, ...compiled };
