import { describe, expect, it } from "vitest";
import { normalRemote } from "../../src/git/remote-address.ts";

describe("the address of a remote", () => {
  it("C-12 every spelling of one repository is the same", () => {
    for (const address of [
      "git@github.com:Team/App.git",
      "github.com:team/app",
      "git@github.com:/team/app.git/",
      "ssh://git@github.com/team/app.git",
      "ssh://git@GitHub.com:22/team//app/",
      "ssh://git@ssh.github.com:443/team/app.git",
      "git+ssh://git@github.com/team/app",
      "https://github.com/team/app",
      "https://github.com:443/Team/App.git/",
      "https://ada:s3cret@github.com/team/app.git",
      "https://x-access-token:ghs_abc@github.com./team/app",
      "http://github.com/team/app",
      "git://github.com/team/app.git",
      " https://github.com/team/%61pp.git\n",
    ]) {
      expect(normalRemote(address), address).toBe("github.com/team/app");
    }
  });

  it("differs for another host, owner or name", () => {
    const addresses = [
      "a.org:x/y",
      "b.org:x/y",
      "a.org:z/y",
      "a.org:x/z",
      "a.org:x/y/z",
      "[::1]:x/y",
    ];
    expect(new Set(addresses.map(normalRemote)).size).toBe(addresses.length);
  });

  it("never holds credentials", () => {
    for (const address of ["https://u:pa55@h.org/x", "ssh://pa55@h.org/x", "pa55@h.org:x"]) {
      expect(normalRemote(address)).toBe("h.org/x");
    }
  });

  it("is none for local paths and for what only a helper understands", () => {
    for (const address of [
      "",
      "/srv/git/app.git",
      "../app",
      "./a:b",
      "app",
      "C:\\git\\app",
      "C:/git/app",
      "file:///srv/git/app.git",
      "file://host/app",
      "ext::sh -c evil",
      "codecommit::eu-west-1://app",
      "https://",
      "https://host",
      "ssh://host/.git",
    ]) {
      expect(normalRemote(address), address).toBeUndefined();
    }
  });
});
