import * as v from "valibot";
import { plainData } from "../data-text.ts";
import { repositoryText } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";

export const profileTool = defineTool({
  name: "profile",
  title: "What kind of project is this?",
  description:
    "The kinds of project this repository is (web-api, cli-tool, library …), each with a confidence from 0 to 1 and " +
    "what speaks for it. Reviewers are chosen by them. Nothing is written but a cache.",
  annotations: looking,
  input: v.strictObject({}),
  output: {
    domains: v.optional(
      v.array(
        v.object({
          name: v.string(),
          confidence: v.number(),
          state: v.picklist(["detected", "likely"]),
          evidence: v.array(repositoryText),
        }),
      ),
    ),
  },
  run: async (_args, call) => {
    const { domains } = await call.withProgress({ message: "looking at the project" }, () =>
      call.headgate.profile.detect(),
    );
    const told = domains.map(({ name, confidence, state, evidence }) => ({
      ...{ name, confidence, state },
      evidence: plainData(evidence.slice(0, evidenceMax).map(({ signal }) => signal)),
    }));
    const lines = told.map((one) => `${one.name} ${one.confidence.toFixed(2)} ${one.state}`);
    return {
      structured: { ok: true, domains: told },
      text: lines.length > 0 ? lines.join("\n") : "no kind of project was detected",
    };
  },
});

const evidenceMax = 10;
