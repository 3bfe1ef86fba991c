import { expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { openStore } from "../../src/store/index.ts";
import { isNetworkType, mountTypeIn } from "../../src/base/mount-type.ts";
import { describeWith } from "../helpers/not-run.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const mountInfo = `22 1 0:21 / / rw,relatime shared:1 - overlay overlay rw
30 22 0:5 / /proc rw - proc proc rw
31 22 0:44 / /home rw - nfs4 server:/home rw
32 31 0:45 / /home/me/local\\040disk rw - ext4 /dev/sda1 rw
33 22 0:46 / /mnt/share rw - cifs //host/share rw
34 22 0:47 / /mnt/ssh rw - fuse.sshfs me@host: rw
35 22 0:48 / /data rw - nfs server:/data rw
36 22 0:49 / /data rw - xfs /dev/sdb rw
`;

it.each([
  ["/srv/store.db", "overlay", false],
  ["/home/me/repo/store.db", "nfs4", true],
  ["/home/me/local disk/store.db", "ext4", false],
  ["/homework/store.db", "overlay", false],
  ["/mnt/share/x", "cifs", true],
  ["/mnt/ssh/x", "fuse.sshfs", true],
  ["/data/x", "xfs", false],
])("C-01 %s lies on %s", (path, type, isNetwork) => {
  expect(mountTypeIn(mountInfo, path)).toBe(type);
  expect(isNetworkType(type)).toBe(isNetwork);
});

it("C-01 local file systems of all sorts are fine, network ones are not", () => {
  for (const type of [
    "ext4",
    "xfs",
    "btrfs",
    "zfs",
    "tmpfs",
    "overlay",
    "apfs",
    "fuseblk",
    "f2fs",
  ]) {
    expect(isNetworkType(type), type).toBe(false);
  }
  for (const type of ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.rclone"]) {
    expect(isNetworkType(type), type).toBe(true);
  }
});

describeWith({ platforms: ["linux"] }, "opening", () => {
  it("C-01 a store on a network file system is refused", async () => {
    const folder = temporaryFolder();
    const files: Files = {
      ...systemFiles,
      readFile: (path) =>
        path === "/proc/self/mountinfo"
          ? Buffer.from("1 0 0:1 / / rw - nfs4 server:/ rw\n")
          : systemFiles.readFile(path),
    };
    const open = openStore({ address: "", localDir: folder, files });
    await expect(open).rejects.toMatchObject({
      code: "STORE_NETWORK_FILE_SYSTEM",
      data: { type: "nfs4" },
    });
  });
});
