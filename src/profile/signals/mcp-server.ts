import type { DomainSignals } from "./schema.ts";

export const mcpServer: DomainSignals = {
  domain: "mcp-server",
  about: "Offers tools and resources to language models over the Model Context Protocol.",
  nature: "product",
  definingFiles: "smithery.yaml mcp.json *.mcpb",
  uniqueFiles: "server.json *.dxt",
  frameworks: {
    npm: "@modelcontextprotocol/sdk @modelcontextprotocol/server fastmcp mcp-framework @modelcontextprotocol/ext-apps",
    pypi: "mcp fastmcp modelcontextprotocol",
    cargo: "rmcp mcp-server rust-mcp-sdk mcp-core",
    go: "github.com/mark3labs/mcp-go github.com/modelcontextprotocol/go-sdk github.com/metoro-io/mcp-golang",
    maven:
      "io.modelcontextprotocol.sdk:* org.springframework.ai:spring-ai-starter-mcp-server io.modelcontextprotocol:kotlin-sdk",
    nuget: "modelcontextprotocol modelcontextprotocol.aspnetcore",
    gems: "mcp fast-mcp",
    swift: "mcp",
    composer: "php-mcp/server",
  },
  tools: { npm: "@modelcontextprotocol/inspector" },
  directories: "tools resources prompts",
  statements: ["\\bmcp[- ]servers?\\b", "\\bmodel context protocol\\b", "\\(mcp\\)"],
  keywords: ["mcp", "model-context-protocol", "mcp-server", "llm", "tools"],
  against: { "entry-point:own-name": 0.4, "statement:cli-tool": 0.15 },
};
