/** What agents read in AGENTS.md and its like. The hook at session start says it again, with names. */
export const rulesBegin = "<!-- headgate:begin -->";
export const rulesEnd = "<!-- headgate:end -->";

export const rulesSection = `## Headgate

Several agents may work in this repository at once; Headgate judges every edit before it is made.

- Edit with your ordinary tools. What you change is claimed for you until you commit or stop.
- A refusal names the reason and the way out. Follow it; do not write around it with the shell.
- "Claimed by another": do something else, or wait with the MCP tool \`wait\` (\`headgate wait PATH\`).
- "Stale view": read the file again, then repeat the edit.
- Leave \`.headgate/\` and the hooks in the clients' settings alone.`;
