import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setupPlace } from "../helpers/setup-place.ts";

it("B04 what init wrote and somebody changed is told of, and is put right only after asking again", async () => {
  const place = setupPlace();
  expect((await place.headgate("init", "--yes", "--client", "claude")).code).toBe(0);
  const changed: [string, string, string][] = [
    [".headgate/hook", "exec /bin/sh", "true"],
    [".git/headgate/hook", "exit 2", "exit 0"],
    [".claude/settings.json", `"onFailure": "block"`, `"onFailure": "allow"`],
    [".claude/settings.json", "headgate claude", "headgate claude x"],
  ];
  for (const [path, from, to] of changed) {
    const good = place.read(path);
    expect(good).toContain(from);
    writeFileSync(join(place.root, path), good.replaceAll(from, to));
    const doctor = await place.headgate("doctor");
    expect([path, doctor.code]).toEqual([path, 1]);
    expect(doctor.stdout).toContain(path);
    // Nobody is there to say yes.
    expect((await place.headgate("init", "--client", "claude")).code).toBe(2);
    expect(place.read(path)).not.toBe(good);
    expect((await place.headgate("init", "--client", "claude", "--yes")).code).toBe(0);
    expect(place.read(path)).toBe(good);
  }
});
