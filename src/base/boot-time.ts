import { uptime } from "node:os";
import type { Clock } from "./clock.ts";

/** When this machine was started, as wall time. A file that was last written before belongs to no living process. */
export const bootedAtMs = (clock: Clock): number => clock.wallMs() - uptime() * 1000;
