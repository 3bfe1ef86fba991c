import type { ManifestReader } from "./types.ts";

/** A target without an operating system: the program is the lowest thing on its machine. */
export const cargoConfig: ManifestReader = {
  files: ".cargo/config.toml .cargo/config",
  read: (text) => {
    const isBare =
      /^[^\S\n]*target\s*=\s*"[^"\n]*(?:-none\b|-none-|\.json)/m.test(text) ||
      /thumbv\dm?/.test(text);
    return { ecosystem: "cargo", entries: isBare ? ["cargo:bare-metal"] : [] };
  },
};
