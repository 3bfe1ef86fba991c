/** A small TypeScript project, calls that exist in it or in what it builds upon, and calls that do not. */
import type { CallList } from "./types.ts";

const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "src/cart.ts": `export interface Priced {
  price: number;
}

export class Item implements Priced {
  constructor(
    readonly name: string,
    readonly price: number,
    private readonly listener: () => void = () => {},
  ) {}

  label(): string {
    this.listener();
    return this.name;
  }
}

export class Holder {
  protected items: Item[] = [];
  onChange = (): void => {};

  addItem(item: Item): void {
    this.items.push(item);
  }

  removeItem(item: Item): void {
    this.items = this.items.filter((one) => one !== item);
  }
}

export class Cart extends Holder {
  static readonly limit = 10;

  static fromRows(rows: string[]): Cart {
    return new Cart();
  }

  get size(): number {
    return this.items.length;
  }

  checkout(method = "card"): number {
    return total(this.items);
  }
}

export function total(items: readonly Item[]): number {
  return items.reduce((sum, one) => sum + one.price, 0);
}

export const applyDiscount = (items: readonly Item[], percent = 5): readonly Item[] => items;

export const rates = { standard: () => 1, reduced: () => 2 };
`,
  "src/ledger.ts": `export class Ledger {
  readonly rows: string[] = [];

  record(row: string): void {
    this.rows.push(row);
  }

  closeMonth(): readonly string[] {
    return this.rows;
  }

  exportCsv(path: string): string {
    return path;
  }
}

export function reconcile(left: unknown, right: unknown): boolean {
  return left === right;
}

export function openLedger(path: string): Ledger {
  return new Ledger();
}
`,
  "src/text.ts": `export function slugify(text: string): string {
  return text.replaceAll(" ", "-");
}

export const shortenText = (text: string, width = 10): string => text.slice(0, width);

export function splitWords(text: string): string[] {
  return text.split(" ");
}

export const shout = (text: string): string => text.toUpperCase();
`,
} as const;

const head = `import * as fs from "node:fs";
import path from "node:path";
import { Cart, Item, applyDiscount, rates, total } from "./cart.ts";
import * as cart from "./cart.ts";
import * as ledger from "./ledger.ts";
import { Ledger } from "./ledger.ts";
import { shortenText, slugify } from "./text.ts";
import * as text from "./text.ts";

`;

const placements: CallList["placements"] = [
  (call, n) => `export function use${n}(value: any) {\n  return ${call};\n}\n`,
  (call, n) => `export const use${n} = (value: any) => ${call};\n`,
  (call, n) => `export const use${n} = (value: any) => [1, 2].map(() => ${call});\n`,
  (call, n) => `export const use${n} = (value: any) => \`a \${${call}}\`;\n`,
  (call, n) => `export async function use${n}(value: any) {\n  await ${call};\n}\n`,
  (call, n) => `export class Use${n} {\n  run(value: any) {\n    if (value) ${call};\n  }\n}\n`,
  (call, n) =>
    `export function use${n}(value: any) {\n  try {\n    return { a: ${call} };\n  } finally {\n    value;\n  }\n}\n`,
  (call, n) => `let value${n}: any;\n${call.replaceAll(/\bvalue\b/g, `value${n}`)};\nexport {};\n`,
  (call, n) =>
    `export function use${n}(value: any) {\n  for (const one of [${call}]) value = one;\n}\n`,
  (call, n) => `export const use${n} = (value: any, other = ${call}) => other;\n`,
];

const inClass = (call: string, n: number): string => `export class Own${n} extends Cart {
  readonly book = new Ledger();

  helper(): number {
    return this.items.length;
  }

  static build(): Own${n} {
    return new Own${n}();
  }

  run(value: any): unknown {
    return ${call};
  }
}
`;

const missing = `
cart.totl([]) cart.discountAll([]) cart.applyDiscounts([]) cart.makeCart() cart.getTotal([]) cart.sumItems([]) cart.totalPrice([]) new(cart.Carts)() ledger.reconcil(1,2) ledger.closeAll() ledger.openledger("a") ledger.readLedger("a") ledger.newLedger() ledger.saveLedger("a") ledger.mergeRows(1) ledger.appendAll(1)
text.slugfy("a") text.shorten("a") text.wordCount("a") text.splitWord("a") text.titleCase("a") text.toSlug("a") text.stripTags("a") text.shoutt("a") text.camelCase("a") text.padBoth("a")
Cart.fromRow([]) Cart.fromJson("a") Cart.parseRows(1) Cart.createNew() Cart.loadAll() Cart.emptyCart() Ledger.openAt("a") Ledger.fromFile("a") Item.buildOne("a") Item.parseOne("a") Cart.build() Ledger.fromRows([])
new~Cart().checkot() new~Cart().addItems(1) new~Cart().clearAll() new~Cart().getItems() new~Ledger().recordRow("a") new~Ledger().closeMonths() new~Ledger().exportJson("a") new~Item("a",1).labels() new~Item("a",1).describeIt() new~Cart().closeMonth() new~Cart().record("a") new~Ledger().checkout() new~Ledger().addItem(1) new~Item("a",1).checkout()
slugfy("a") shortenTexts("a") totals([]) applyDiscont([]) splitWords("a") reconcile(1,2) openLedger("a") parseRows("a") computeTax(1) loadSettings() sendReceipt(1) validateCart(1) formatPrice(1) getLoggerFor("a") buildIndex([]) normaliseName("a") fetchUserById(1) calculateShipping(1) toSnakeCase("a") chunkList([]) retryCall(1) deepMergeObjects({},{}) debounceCall(1) useCartState() groupItemsBy([]) slugifyAll([]) new~CartStore() new~OrderBook() new~LedgerReader("a")
rates.standart() rates.reduce_d() rates.zeroRate() rates.luxury() JSON.stringfy(1) JSON.prase("a") JSON.stringifi(1) JSON.dumps(1) JSON.load("a") JSON.toText(1) Math.rond(1) Math.flor(1) Math.celi(1) Math.maximum(1,2) Math.randomInt(1) Math.sume([1]) Math.absolute(1) Math.sqroot(2)
Object.entires({}) Object.key({}) Object.valuess({}) Object.asign({},{}) Object.freezee({}) Object.fromEntry([]) Object.merge({},{}) Array.form([]) Array.isArry([]) Array.rangeOf(1,2) Promise.al([]) Promise.allsettled([]) Promise.resolv(1) Promise.delayFor(1) Number.parseint("1") Number.isInt(1) Date.noww() Date.today() console.lgo("a") console.wran("a") console.printOut("a") process.exitt(1) process.cmd() process.getEnv("a")
fs.readFileSyc("a") fs.writeFileSnyc("a","b") fs.existSync("a") fs.mkdirpSync("a") fs.removeFileSync("a") fs.copyDirectory("a","b") fs.readJsonSync("a") fs.ensureDirSync("a") path.joins("a","b") path.resolv("a") path.baseName("a") path.extension("a") path.dirName("a") path.isFile("a") path.normalise("a") fs.listDirectory("a")
slugify("a").trimLeftRight() slugify("a").capitaliseAll() total([]).toFixedd(2) [1].pushAll([2]) [1].eachOne(1) [1].flatten_all() "a".reverseText() "a".containsText("b") "a".trimmAll() [3].sortedBy(1) "a".format_with(1) [1].firstOne() (1).toCurrency() new~Map().getOrDefault(1) new~Set().addAll([]) new~Date().formatAs("a") Symbol.itterator() Reflect.gett({},"a") Number.isNann(1) structuredClonee({}) setTimeOut(1) requestAnimation(1) parseInteger("1") isNumeric("1") encodeUrl("a")
`
  .trim()
  .split(/\s+/)
  .map((call) => call.replaceAll("~", " "));

const missingInClass = `
this.helpr() this.addItems(1) this.checkot() this.removeAllItems() this.getHelper() this.helperTwo() this.closeMonth() this.record("a") this.fromRow([]) this.validateAll() this.toJsonText() this.refreshPrices() this._helper() this.add_item(1) this.book.recrd("a") this.book.closeAll() this.book.checkout() this.book.exportJson("a") this.buildAll() this.fromDict({}) this.items.pushAll([]) this.items.findWhere(1) this.notifyOwner() this.applyDiscounts() this.isEmptyy() this.totalOf() this.openLedger() this.exportCsv("a") this.book.rows.appendAll([]) this.onChanged()
`
  .trim()
  .split(/\s+/);

const legal = `
cart.total([]) cart.applyDiscount([]) new~cart.Cart() new~cart.Item("a",1) cart.Cart.fromRows([]) cart.rates.standard() ledger.reconcile(1,2) ledger.openLedger("a") ledger.openLedger("a").record("b") new~ledger.Ledger().closeMonth() text.slugify("a") text.shortenText("a") text.splitWords("a").join("") text.shout("a") Cart.fromRows([]).checkout() Cart.fromRows([])
new~Cart().addItem(value) new~Cart().removeItem(value) new~Cart().checkout("cash") new~Cart().onChange() new~Item("a",1).label() new~Item("a",1).label().toUpperCase() new~Ledger().record("a") new~Ledger().closeMonth().at(-1) new~Ledger().exportCsv("a") slugify("a") shortenText("a",3) total([]) applyDiscount([],2) rates.standard() rates.reduced().toFixed(2)
JSON.stringify(1) JSON.parse("1") JSON.parse("1").anything() JSON.rawJSON?.("1") Math.round(1) Math.hypot(1,2) Math.f16round?.(1) Math.sumPrecise?.([1]) Object.entries({}) Object.groupBy([],()=>1) Object.hasOwn({},"a") Array.from([]) Array.fromAsync([]) Promise.all([]) Promise.withResolvers() Promise.try?.(()=>1) Number.parseInt("1") Number.isInteger(1) Date.now() Date.UTC(1,2) console.log("a") console.table([]) process.exit(1) process.cwd() process.loadEnvFile() process.getBuiltinModule("fs")
fs.readFileSync("a") fs.writeFileSync("a","b") fs.existsSync("a") fs.mkdirSync("a") fs.promises.readFile("a") fs.globSync?.("a") path.join("a","b") path.resolve("a") path.basename("a") path.posix.join("a") "a".replaceAll("b","c") "a".at(0) [1].toSorted() [1].findLast(()=>1) [1].flatMap((x)=>[x]) new~Map().entries() new~Set([1]).union(new~Set()) new~Date().toISOString() Symbol.for("a") Reflect.ownKeys({}) structuredClone({}) setTimeout(()=>1,1) queueMicrotask(()=>1) parseInt("1",10) encodeURIComponent("a") fetch("a") new~URL("a").searchParams.get("b") crypto.randomUUID() new~AbortController().abort() performance.now()
describe("a",()=>1) it("a",()=>1) expect(1).toBe(1) beforeEach(()=>1) test.each([1])("a",()=>1) jQuery("a").on("b") $("a").hide() document.querySelector("a") window.showOpenFilePicker() localStorage.getItem("a") Deno.serve(()=>1) Bun.serve({}) Temporal.Now.instant() GM_setValue("a",1) printjson(1) require("a") navigator.clipboard.writeText("a") value.anything() value() value?.deep?.call?.() (()=>1)() (function(){return~1})() Object.create(null).anything?.() globalThis.anything?.() import("./text.ts")
`
  .trim()
  .split(/\s+/)
  .map((call) => call.replaceAll("~", " "));

const legalInClass = `
this.helper() this.addItem(value) this.checkout() this.removeItem(value) this.onChange() this.items.push(value) this.book.record("a") this.book.closeMonth() this.book.rows.push("a") Own.build?.() this.constructor.name.trim() super.checkout() super.addItem(value) this.run(1) this.items.toSorted() (this~as~any).anything() this.size.toFixed(1) this.hasOwnProperty("a") this.toString() this.book.rows.at(0)?.trim()
`
  .trim()
  .split(/\s+/)
  .map((call) => call.replaceAll("~", " "));

export const scriptCalls: CallList = {
  files,
  path: (n) => `src/use${n}.ts`,
  head,
  placements,
  inClass,
  ...{ missing, missingInClass, legal, legalInClass },
};
