/**
 * MCP, the door for agents that call tools. Two ways lead to the same server object (server.ts): standard
 * input (`headgate mcp`, stdio.ts), where the process belongs to one client, and `/mcp` of the running
 * server (http.ts), where every request stands alone. Both speak the revisions 2025-11-25 and 2026-07-28.
 *
 * 1. The list of tools is static; no word of the repository or of agents is in it (C04).
 * 2. Who acts is never an argument (identity.ts).
 * 3. A refusal or a failure is an answer with code, message and remedy; no stack leaves.
 * 4. Nothing that goes wrong ends the server; over standard input the repository is opened again.
 * Tools are thin (tools/): each checks its arguments, asks one room and tells the answer.
 */
export { type Doorway, lazyDoorway } from "./doorway.ts";
export { createMcpEndpoint, type McpEndpoint } from "./http.ts";
export { identifyByProcess } from "./identity.ts";
export { serveMcpStdio } from "./stdio.ts";
