import { isoTime, systemClock } from "../../../base/clock.ts";
import { showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import type { StatusReport } from "../../status-report.ts";
import { type Check, checksIn } from "./check.ts";

/** Opens it, as `status` does; a network file system and an old SQLite are refused by the store itself. */
export const storeChecks = async (headgate: Headgate, report: StatusReport): Promise<Check[]> => {
  const { ok, problem } = checksIn("store");
  const { store } = report;
  if (store.state === "none") return [ok(`${store.kind}, nothing stored yet`)];
  if (store.state === "unavailable") return [problem(showText(store.message), store.remedy)];
  return [
    ok(`${store.kind} ${showText(store.version)}, schema ${store.schema}`),
    ...(await clockChecks(headgate)),
  ];
};

const clockChecks = async (headgate: Headgate): Promise<Check[]> => {
  const { ok, warning } = checksIn("store");
  const store = await headgate.storeIfAny();
  if (!store) return [];
  const asked = systemClock.wallMs();
  const { wallMs } = await store.now();
  const apartMs = Math.max(0, asked - wallMs, wallMs - systemClock.wallMs());
  if (apartMs > clockApartMsMax) {
    const seconds = Math.round(apartMs / 1000);
    return [
      warning(
        `the store's clock and this machine's differ by ${seconds} s`,
        "Set the clocks right (NTP); claims end by the store's.",
      ),
    ];
  }
  const { events } = await headgate.events.page({ last: 1 });
  const newest = events[0]?.at;
  if (newest !== undefined && Date.parse(newest) > wallMs + clockApartMsMax) {
    return [
      warning(
        `the newest event is from ${showText(newest)}, now is ${isoTime(wallMs)}: the clock went back`,
        "Set the clock right (NTP).",
      ),
    ];
  }
  return [ok("clock")];
};

const clockApartMsMax = 5000;
