/**
 * The kind of file system that a path is on. Linux names each mount's type in /proc; Windows shows shares as UNC
 * paths (a mapped drive letter stays unseen there); macOS has no way without a native call.
 */
import { dirname } from "node:path";
import { errnoOf, type Files } from "./files.ts";

/** Undefined where the system does not tell. */
export const mountType = (path: string, files: Pick<Files, "readFile" | "realPath" | "stat">) => {
  let mountInfo: string;
  try {
    mountInfo = files.readFile("/proc/self/mountinfo").toString("utf8");
  } catch (error) {
    // Not Linux, or a container without /proc.
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
  // The file exists here, and may itself be a link to another file system.
  return mountTypeIn(mountInfo, files.realPath(files.stat(path) ? path : dirname(path)));
};

/** The type of the mount that `path` is on; a later mount hides an earlier one at the same place. */
export const mountTypeIn = (mountInfo: string, path: string): string | undefined => {
  let best: { point: string; type: string } | undefined;
  for (const line of mountInfo.split("\n")) {
    const [left = "", right = ""] = line.split(" - ");
    const written = left.split(" ")[4];
    const point = written?.includes("\\") ? unescaped(written) : written;
    const type = right.split(" ")[0];
    if (!point || !type) continue;
    const isAbove = point === "/" || path === point || path.startsWith(`${point}/`);
    if (isAbove && point.length >= (best?.point.length ?? 0)) best = { point, type };
  }
  return best?.type;
};

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );

export const isNetworkType = (type: string): boolean =>
  networkTypes.has(type.replace(/^fuse\./, ""));

/** Surely of this machine alone; many types are neither this nor known as of the network. */
export const isLocalType = (type: string): boolean => localTypes.has(type);

const localTypes = new Set([
  ...["ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "bcachefs", "f2fs", "jfs", "reiserfs"],
  ...["tmpfs", "overlay", "vfat", "exfat", "ntfs3"],
]);

const networkTypes = new Set([
  ...[
    "nfs",
    "nfs4",
    "cifs",
    "smb2",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "coda",
    "gfs2",
    "glusterfs",
  ],
  ...["lustre", "ncpfs", "ocfs2", "beegfs", "orangefs", "sshfs", "s3fs", "rclone", "davfs"],
  ...["davfs2", "gcsfuse", "goofys", "mfs", "moosefs", "vmhgfs-fuse", "drvfs"],
]);
