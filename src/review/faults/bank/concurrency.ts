import { clean, fault } from "../define.ts";

export const concurrency = [
  fault(
    "concurrency/seat-sold-twice",
    {
      severity: "P0",
      path: "booking/seats.py",
      domains: ["web-api"],
      about: "check and update are two statements without a lock: two buyers get one seat",
    },
    `
def book(db, seat_id: int, buyer: str) -> bool:
    with db.transaction():
        seat = db.one("SELECT id, buyer FROM seats WHERE id = %s", (seat_id,))
        if seat is None or seat["buyer"] is not None:
            return False
        db.execute("UPDATE seats SET buyer = %s WHERE id = %s", (buyer, seat_id)) ◀
        return True
`,
  ),
  fault(
    "concurrency/map-without-lock",
    {
      severity: "P1",
      path: "limiter/limiter.go",
      domains: ["networking", "web-api"],
      about: "the map is read without the mutex while other goroutines write it",
    },
    `
package limiter

import "sync"

type Limiter struct {
	mu    sync.Mutex
	seen  map[string]int
	limit int
}

func (l *Limiter) Add(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[client]++
}

func (l *Limiter) Allowed(client string) bool {
	return l.seen[client] < l.limit ◀
}
`,
  ),
  fault(
    "concurrency/lock-freed-before-the-write",
    {
      severity: "P1",
      path: "src/jobs/take-job.ts",
      about: "the lock ends before the state that it protects is saved",
    },
    `
import { withLock } from "../locks";
import { load, save } from "./store";

export const takeJob = async (worker: string) => {
  const job = await withLock("jobs", async () => {
    const jobs = await load();
    return jobs.find(({ owner }) => owner === undefined);
  }); ◀
  if (!job) return undefined;
  job.owner = worker;
  await save(job);
  return job;
};
`,
  ),
  clean(
    "concurrency/conditional-update",
    "booking/claim_seat.py",
    `
def claim(db, seat_id: int, buyer: str) -> bool:
    """One statement decides; of two buyers one changes a row."""
    changed = db.execute(
        "UPDATE seats SET buyer = %s WHERE id = %s AND buyer IS NULL", (buyer, seat_id)
    )
    return changed == 1
`,
  ),
];
