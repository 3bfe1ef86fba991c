/** The files that a proposal is judged against: the working tree, or a tree that was handed in. */
export interface Tree {
  /** Undefined when there is no such file. Throws when it cannot be read. */
  read(path: string): Buffer | undefined;
  /** What kind of thing the path is, without following links; only the working tree knows. */
  facts?(path: string): PathFacts;
  /** Files in the same folder, then in the folders beside it; some of them where there are many. */
  near?(path: string): readonly string[];
  /** Permission bits, where there are any. */
  mode?(path: string): number | undefined;
}

export interface PathFacts {
  readonly kind: "absent" | "file" | "folder" | "link" | "special";
  /** Names of the same file besides this one. */
  readonly otherNames: number;
  /** A folder on the way that is a link, relative to the root; undefined when none is. */
  readonly linkAbove?: string;
  /** Something on the way that is no folder. */
  readonly fileAbove?: string;
}

/** A tree of texts or bytes. Names are looked up as they are, never in a prototype. */
export const treeOf = (files: Readonly<Record<string, string | Uint8Array>>): Tree => {
  const known = new Map(Object.entries(files));
  return {
    read: (path) => {
      const content = known.get(path);
      return typeof content === "string"
        ? Buffer.from(content, "utf8")
        : content && Buffer.from(content);
    },
    near: (path) => [...known.keys()].filter((other) => other !== path),
  };
};
