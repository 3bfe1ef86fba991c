/** The domains, one file each: what speaks for and against it. */
import type { DomainSignals } from "./schema.ts";
import { webApi } from "./web-api.ts";
import { frontendSpa } from "./frontend-spa.ts";
import { fullstackWeb } from "./fullstack-web.ts";
import { cliTool } from "./cli-tool.ts";
import { librarySdk } from "./library-sdk.ts";
import { tuiApp } from "./tui-app.ts";
import { desktopApp } from "./desktop-app.ts";
import { mobileApp } from "./mobile-app.ts";
import { gameSimulation } from "./game-simulation.ts";
import { mlPipeline } from "./ml-pipeline.ts";
import { dataPipeline } from "./data-pipeline.ts";
import { scientific } from "./scientific.ts";
import { embeddedSystems } from "./embedded-systems.ts";
import { osKernel } from "./os-kernel.ts";
import { compiler } from "./compiler.ts";
import { databaseEngine } from "./database-engine.ts";
import { networking } from "./networking.ts";
import { cryptography } from "./cryptography.ts";
import { infraAsCode } from "./infra-as-code.ts";
import { kubernetesOperator } from "./kubernetes-operator.ts";
import { devopsCi } from "./devops-ci.ts";
import { browserExtension } from "./browser-extension.ts";
import { editorExtension } from "./editor-extension.ts";
import { agentPlugin } from "./agent-plugin.ts";
import { mcpServer } from "./mcp-server.ts";
import { bot } from "./bot.ts";
import { smartContract } from "./smart-contract.ts";
import { docsSite } from "./docs-site.ts";

/** Every domain that can be found. The order is that of equals in a list. */
export const allSignals: readonly DomainSignals[] = [
  webApi,
  frontendSpa,
  fullstackWeb,
  cliTool,
  librarySdk,
  tuiApp,
  desktopApp,
  mobileApp,
  gameSimulation,
  mlPipeline,
  dataPipeline,
  scientific,
  embeddedSystems,
  osKernel,
  compiler,
  databaseEngine,
  networking,
  cryptography,
  infraAsCode,
  kubernetesOperator,
  devopsCi,
  browserExtension,
  editorExtension,
  agentPlugin,
  mcpServer,
  bot,
  smartContract,
  docsSite,
];
