// Claims a file, shows what somebody else is told meanwhile, and writes only while the claim holds.
import { writeFileSync } from "node:fs";
import { openHeadgate, targetsOverlap } from "headgate";

const headgate = await openHeadgate({ repo: ".", actor: "build-bot" });
try {
  const { claims } = headgate;
  const granted = await claims.claim({ targets: ["report.md"], reason: "nightly", ttlMs: 60_000 });
  const [claim] = granted.ok ? granted.claims : [];
  if (claim === undefined) throw new Error("somebody else is writing the report");
  console.log(`${claim.target} is ours, fence ${claim.fence}`);

  const other = await claims.as("ada").claim({ targets: ["*.md"] });
  if (!other.ok) {
    for (const { target, actor, reason } of other.blockers) {
      console.log(`${other.code}: ${actor} holds ${target} (${reason})`);
    }
  }

  // A program that was paused and lost its claim meanwhile cannot write under the old fence.
  const written = await claims.whileHeld(claim.fence, ["report.md"], () =>
    writeFileSync("report.md", "all tests passed\n"),
  );
  console.log(written.ok ? "written" : written.problems[0]?.problem);

  const { released } = await claims.release({ claims: [claim.id] });
  console.log(`released ${released.length}`);
  console.log(targetsOverlap("src/**", "src/auth.ts#Auth.login"));
} finally {
  await headgate.close();
}
