// Writes docs/errors.md from the table in src/error-codes.ts; a test fails while the two differ.
import { writeFileSync } from "node:fs";
import { errorsDocument } from "./errors-document.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsDocument());
