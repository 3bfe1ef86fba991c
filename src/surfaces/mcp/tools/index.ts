/** All tools, in the order in which an agent needs them. Later rooms add theirs here. */
import type { Tool } from "../tool.ts";
import { answerTool } from "./answer.ts";
import { applyTool } from "./apply.ts";
import { askTool } from "./ask.ts";
import { checkTool } from "./check.ts";
import { claimTool } from "./claim.ts";
import { claimsTool } from "./claims.ts";
import { commitTool } from "./commit.ts";
import { editTool } from "./edit.ts";
import { eventsTool } from "./events.ts";
import { findingsTool } from "./findings.ts";
import { findSymbolTool } from "./find-symbol.ts";
import { inboxTool } from "./inbox.ts";
import { judgeTool } from "./judge.ts";
import { outlineTool } from "./outline.ts";
import { profileTool } from "./profile.ts";
import { readTool } from "./read.ts";
import { releaseTool } from "./release.ts";
import { renewTool } from "./renew.ts";
import { reviewResultTool } from "./review-result.ts";
import { reviewStartTool } from "./review-start.ts";
import { reviewStatusTool } from "./review-status.ts";
import { routingStatusTool } from "./routing-status.ts";
import { runDecideTool } from "./run-decide.ts";
import { runStatusTool } from "./run-status.ts";
import { tellTool } from "./tell.ts";
import { undoTool } from "./undo.ts";
import { waitTool } from "./wait.ts";

export const tools: readonly Tool[] = [
  claimTool,
  releaseTool,
  renewTool,
  checkTool,
  waitTool,
  claimsTool,
  askTool,
  answerTool,
  tellTool,
  inboxTool,
  outlineTool,
  findSymbolTool,
  readTool,
  editTool,
  applyTool,
  judgeTool,
  undoTool,
  commitTool,
  eventsTool,
  profileTool,
  reviewStartTool,
  reviewStatusTool,
  reviewResultTool,
  findingsTool,
  routingStatusTool,
  runStatusTool,
  runDecideTool,
];
