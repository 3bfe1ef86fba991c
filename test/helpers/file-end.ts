/** Runs before every test file: what its helpers made once for it goes with it. */
import { afterAll } from "vitest";
import { endFile } from "./temporary-folder.ts";

afterAll(endFile);
