import type { DomainSignals } from "./schema.ts";

export const agentPlugin: DomainSignals = {
  domain: "agent-plugin",
  about: "Extends a coding agent: plugins, skills, sub-agents, commands, hooks and rules for it.",
  nature: "product",
  definingFiles:
    ".claude-plugin/plugin.json .claude-plugin/marketplace.json SKILL.md gemini-extension.json .codex-plugin/plugin.json .cursor-plugin/plugin.json *.mdc",
  uniqueFiles: "hooks/hooks.json .agents/skills.json *.skill.md opencode.json",
  commonFiles: "CLAUDE.md AGENTS.md GEMINI.md .claude/settings.json .mcp.json",
  frameworks: { npm: "@opencode-ai/plugin", pypi: "claude-code-sdk" },
  helpers: {
    npm: "@anthropic-ai/claude-code @anthropic-ai/claude-agent-sdk",
    pypi: "claude-agent-sdk",
  },
  isAtTop: true,
  uniqueDirectories: ".claude-plugin skills subagents",
  directories: "agents commands hooks prompts rules",
  statements: [
    "\\b(?:claude code|codex|cursor|opencode|gemini cli|copilot|coding[- ]agents?|agentic) (?:plugins?|skills?|extensions?|marketplace|commands?|sub-?agents?|hooks?|rules|workflows?)\\b",
    "\\b(?:plugins?|skills?|sub-?agents?|slash commands?|marketplace) (?:for|of) (?:your )?(?:claude|codex|cursor|coding agents?|ai agents?|agents?)\\b",
    "\\bskills (?:library|framework|collection)\\b",
    "\\bagent skills\\b",
  ],
  keywords: ["claude-code", "claude", "skills", "agents", "plugin", "codex", "subagents"],
  givesWay: { to: ["mcp-server"], by: 0.3 },
};
