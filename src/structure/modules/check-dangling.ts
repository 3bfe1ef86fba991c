/** Names that a file still uses after a change took their import or definition out of it (E-18). */
import { browserNames } from "../references/script-names.ts";
import type { ModuleShape } from "./module-shape.ts";

export interface DanglingName {
  readonly name: string;
  readonly line: number;
  /** The class that had it; absent for names of the file. */
  readonly of?: string;
  readonly count: number;
}

export const checkDangling = (
  before: ModuleShape,
  after: ModuleShape,
  isGlobal: (name: string) => boolean,
): DanglingName[] => {
  const old = new Set(before.unbound.map(({ name }) => name));
  const had = new Set(before.bound);
  const spaces = new Set(
    before.imports
      .filter(({ from, name }) => isPackage(from) && (name === "*" || name === "default"))
      .map(({ as }) => as),
  );
  const found: DanglingName[] = [];
  for (const [name, uses] of Map.groupBy(after.unbound, (one) => one.name)) {
    if (old.has(name) || !had.has(name) || isGlobal(name)) continue;
    // Types of packages that are also names of the page: `React.ReactNode`.
    if (spaces.has(name) && uses.every(({ isType }) => isType)) continue;
    found.push({ name, line: uses[0]?.line ?? 1, count: uses.length });
  }
  for (const one of after.classes) {
    const was = before.classes.find(({ name }) => name === one.name);
    for (const [name, uses] of Map.groupBy(one.uses, (use) => use.name)) {
      if (was?.members.includes(name))
        found.push({ name, line: uses[0]?.line ?? 1, of: one.name, count: uses.length });
    }
  }
  return found;
};

const isPackage = (from: string): boolean => !from.startsWith(".") && !from.startsWith("node:");

/** Names that scripts have without an import: of the language, the page, test runners and types. */
export const isScriptGlobal = (name: string): boolean =>
  Object.hasOwn(globalThis, name) || globals.has(name);

const globals = new Set([
  // The list holds members, too; only types and constructors begin with a capital.
  ...browserNames.filter((name) => /^[A-Z]/.test(name)),
  ...`window document location history navigator screen localStorage sessionStorage indexedDB caches alert confirm prompt
  open close focus blur print stop find requestAnimationFrame cancelAnimationFrame requestIdleCallback cancelIdleCallback
  getComputedStyle getSelection matchMedia moveTo moveBy resizeTo resizeBy scroll scrollTo scrollBy postMessage
  addEventListener removeEventListener dispatchEvent createImageBitmap reportError name status length top parent frames
  self origin event external scrollX scrollY innerWidth innerHeight outerWidth outerHeight devicePixelRatio
  visualViewport customElements speechSynthesis isSecureContext scheduler trustedTypes importScripts skipWaiting clients
  registration cookieStore opener closed`.split(/\s+/),
  ...`arguments undefined globalThis require module exports __dirname __filename describe it test suite expect
  beforeAll beforeEach afterAll afterEach before after vi jest assert expectTypeOf assertType bench cy Cypress Deno Bun
  process Buffer global React JSX Vue NodeJS BufferEncoding Express chrome browser google $ jQuery self window
  Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType
  InstanceType Uppercase Lowercase Capitalize Uncapitalize ThisType ThisParameterType OmitThisParameter Awaited NoInfer
  Promise PromiseLike Iterable AsyncIterable Iterator AsyncIterator Generator AsyncGenerator IterableIterator
  AsyncIterableIterator ArrayLike PropertyKey PropertyDescriptor TemplateStringsArray ReadonlyArray ReadonlyMap
  ReadonlySet Disposable AsyncDisposable const`.split(/\s+/),
]);
