import { copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mount, runProgram } from "./mount.ts";

/**
 * An ext4 file system in an image file. What its cache has not written yet is not in the image, so a
 * copy of the image is the disk as a power cut at this instant would leave it. The journal is written
 * by itself only every five minutes, and ext4's guess that a rename means "sync this" is switched off, so
 * nothing becomes durable by accident.
 */
export interface PowerCutDisk {
  readonly folder: string;
  /** Makes everything durable: the state before the test. */
  settle(): void;
  /** The disk as a power cut now would leave it; to be looked at later. */
  copy(): string;
  /** Calls `look` with the file system as it comes up from such a copy, once. */
  revive<T>(copy: string, look: (folder: string) => Promise<T>): Promise<T>;
  /** Both at once. */
  afterCut<T>(look: (folder: string) => Promise<T>): Promise<T>;
  /** The power fails now and comes back: the same folder holds what was durable. Nobody may be in it. */
  cut(): void;
}

export const createPowerCutDisk = (parent: string, size = "8M"): PowerCutDisk => {
  const image = join(parent, "disk.img");
  const folder = join(parent, "disk");
  const revived = join(parent, "revived");
  mkdirSync(folder);
  mkdirSync(revived);
  runProgram("truncate", "-s", size, image);
  runProgram("mkfs.ext4", "-q", "-F", "-m", "0", image);
  const options = "loop,commit=300,noatime,noauto_da_alloc";
  mount(folder, "-o", options, image);
  let cuts = 0;
  const copyImage = (): string => {
    cuts += 1;
    const copy = join(parent, `cut-${cuts}.img`);
    copyFileSync(image, copy);
    return copy;
  };
  const revive: PowerCutDisk["revive"] = async (copy, look) => {
    runProgram("mount", "-o", "loop", copy, revived);
    try {
      return await look(revived);
    } finally {
      runProgram("umount", revived);
      rmSync(copy);
    }
  };
  return {
    folder,
    settle: () => void runProgram("sync", "--file-system", folder),
    copy: copyImage,
    revive,
    afterCut: (look) => revive(copyImage(), look),
    cut: () => {
      const copy = copyImage();
      // Unmounting writes everything, into an image that nobody uses any more.
      runProgram("umount", folder);
      renameSync(copy, image);
      runProgram("mount", "-o", options, image, folder);
    },
  };
};
