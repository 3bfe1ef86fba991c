// Writes man/headgate.1 and docs/help.md from the tables of the command line; a test fails while they differ.
import { mkdirSync, writeFileSync } from "node:fs";
import { helpDocument, manPage } from "./help-pages.ts";

mkdirSync(new URL("../man", import.meta.url), { recursive: true });
writeFileSync(new URL("../man/headgate.1", import.meta.url), await manPage());
writeFileSync(new URL("../docs/help.md", import.meta.url), helpDocument());
