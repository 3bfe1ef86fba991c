import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HeadgateError } from "../../src/errors.ts";
import { openStore, parseAddress } from "../../src/store/index.ts";

describe("store address", () => {
  it("C-01 nothing means store.db in the local folder, a path means that file", () => {
    expect(parseAddress("", "/repo/.headgate/local")).toMatchObject({
      kind: "sqlite",
      path: join("/repo/.headgate/local", "store.db"),
    });
    for (const path of ["/data/hg.db", "./hg.db", "C:\\data\\hg.db", "a:b", "with space"]) {
      expect(parseAddress(path, "/l")).toMatchObject({ kind: "sqlite", path });
    }
  });

  it("C-01 a postgres address shows its place without user, password and options", () => {
    for (const scheme of ["postgres", "postgresql", "POSTGRES"]) {
      const url = `${scheme}://me:s3cret@db.example:5433/app?password=s3cret&sslmode=require`;
      const parsed = parseAddress(url, "/l");
      expect(parsed).toEqual({
        kind: "postgres",
        isShared: true,
        url,
        location: "postgres://db.example:5433/app",
      });
    }
    expect(parseAddress("postgres:///app?host=/run/pg", "/l")).toMatchObject({
      location: "postgres:///run/pg/app",
    });
  });

  it("C-01 anything else is refused without repeating the address", () => {
    for (const address of [
      "mysql://me:s3cret@host/db",
      "http://s3cret@host",
      "file:/data/s3cret",
      "sqlite::s3cret",
      "postgres://[s3cret",
      "s3cret\nline",
    ]) {
      try {
        parseAddress(address, "/l");
        expect.unreachable(address);
      } catch (error) {
        expect(error).toMatchObject({ code: "STORE_ADDRESS_INVALID" });
        expect(
          JSON.stringify([error, HeadgateError.isInstance(error) && error.cause]),
        ).not.toContain("s3cret");
      }
    }
  });

  it("C-01 an unreachable server is STORE_UNAVAILABLE, and the password is not in the message", async () => {
    const address = "postgres://me:s3cret@127.0.0.1:1/app";
    const error: unknown = await openStore({ address, localDir: "/l" }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("s3cret");
  });
});
