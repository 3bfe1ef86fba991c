import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isSlip } from "../../src/structure/index.ts";
import { openHeadgate } from "../../src/index.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const cart = "export class Cart {\n  price(): number {\n    return 1;\n  }\n}\n";

const scene = async () => {
  const repo = makeRepository(temporaryFolder());
  put(join(repo, "cart.ts"), cart);
  put(join(repo, "package.json"), "{}\n");
  const headgate = await openHeadgate({ repo, actor: "claude:one", shared: sharedParsers });
  onTestFinished(() => headgate.close());
  const admit = async (call: string, actor = "claude:one") => {
    const after = cart.replace("return 1;", `return this.${call}();`);
    const writes = [{ path: "cart.ts", after }];
    const { verdict } = await headgate.as(actor).gate.admit({ writes });
    if (verdict.verdict === "allow") put(join(repo, "cart.ts"), after);
    return verdict;
  };
  return { repo, headgate, admit };
};

describe("E-23 open ends", () => {
  it("E-23 a slip is asked about once for each session, then it is an open end", async () => {
    const { admit, headgate } = await scene();
    expect(await admit("prise")).toMatchObject({ verdict: "deny", confirm: true });
    expect(await admit("prise", "codex:two")).toMatchObject({ verdict: "deny", confirm: true });
    expect(await headgate.openEnds()).toEqual([]);
    const again = await admit("prise");
    expect(again).toMatchObject({ verdict: "allow", notes: [{ missing: "this.prise" }] });
    expect(await headgate.openEnds()).toMatchObject([
      { session: "claude:one", path: "cart.ts", missing: "this.prise", line: 3 },
    ]);
  });

  it("E-23 an open end closes when the name is there", async () => {
    const { admit, headgate, repo } = await scene();
    expect(await admit("shippingCosts")).toMatchObject({ verdict: "allow" });
    expect(await headgate.openEnds()).toHaveLength(1);
    put(
      join(repo, "costs.ts"),
      "export class Costs {\n  shippingCosts() {\n    return 2;\n  }\n}\n",
    );
    expect(await headgate.openEnds()).toEqual([]);
  });

  it("E-23 an open end closes when its use is gone", async () => {
    const { admit, headgate, repo } = await scene();
    await admit("shippingCosts");
    put(join(repo, "cart.ts"), cart);
    expect(await headgate.openEnds()).toEqual([]);
  });

  it("E-23 open ends are the first notes of an edit: a client may show no more", async () => {
    const { repo, headgate } = await scene();
    put(join(repo, "sum.ts"), "export function sum(a: number) {\n  return a;\n}\n");
    put(join(repo, "use.ts"), 'import { sum } from "./sum";\n\nsum(1);\n');
    const after = "export function sum(a: number, b: number) {\n  return a + b;\n}\n";
    const { verdict } = await headgate.gate.admit({ writes: [{ path: "sum.ts", after }] });
    const codes = verdict.notes.map(({ code }) => code);
    expect(codes[0]).toBe("ARGUMENTS_MISMATCH");
    expect(codes).toContain("SIGNATURE_CHANGED");
  });

  it("E-18 open ends of imports and exports close when they are made right", async () => {
    const { repo, headgate } = await scene();
    put(join(repo, "use.ts"), 'import { Cart } from "./cart";\nnew Cart();\n');
    const write = async (path: string, after: string) => {
      const { verdict } = await headgate.as("claude:one").gate.admit({ writes: [{ path, after }] });
      expect(verdict.verdict).toBe("allow");
      put(join(repo, path), after);
    };
    const open = async () =>
      (await headgate.openEnds()).map(({ code, missing }) => `${code} ${missing}`);
    await write("cart.ts", cart.replace("export class Cart", "export class Basket"));
    await write("new.ts", 'import { pay } from "./pay";\npay();\n');
    await write("new.ts", "pay();\nexport {};\n");
    expect(await open()).toEqual(["SYMBOL_REMOVED Cart", "NAME_DANGLING pay"]);
    await write("new.ts", 'import { pay } from "./pay";\npay();\n');
    expect(await open()).toEqual(["SYMBOL_REMOVED Cart", "IMPORT_UNKNOWN ./pay"]);
    await write("far.ts", 'import { z } from "zodd";\nz();\n');
    expect(await open()).toContain("IMPORT_UNKNOWN zodd");
    put(join(repo, "package.json"), '{"dependencies": {"zodd": "1"}}\n');
    put(join(repo, "pay.ts"), "export const pay = () => 1;\n");
    put(join(repo, "use.ts"), 'import { Basket } from "./cart";\nnew Basket();\n');
    expect(await open()).toEqual([]);
  });

  it("E-23 a slip is a letter, a case, a number, an order or a style; never a digit", () => {
    const slips = [
      ["prise", "price"],
      ["pirce", "price"],
      ["get_user", "getUser"],
      ["getuser", "getUser"],
      ["users", "user"],
      ["userGet", "getUser"],
      ["calculteTotal", "calculateTotal"],
      ["fetchAddreses", "fetchAddresses"],
    ] as const;
    const apart = [
      ["price", "price"],
      ["step2", "step1"],
      ["toV2", "toV3"],
      ["add", "and"],
      ["selectEncoding", "selectCharset"],
      ["trimCookieWhitespace", "trimCookie"],
      ["isIPv4MappedIPv6", "isIPv4"],
      ["openFile", "closeFile"],
      ["readAll", "read"],
    ] as const;
    for (const [name, known] of slips) expect([name, isSlip(name, known)]).toEqual([name, true]);
    for (const [name, known] of apart) expect([name, isSlip(name, known)]).toEqual([name, false]);
  });
});
