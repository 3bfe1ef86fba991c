import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const file = `<?php
declare(strict_types=1);
namespace App\\Auth;

use X\\Y;
use X\\Z as W, Q\\R;
use function F\\g;
use G\\{I, J as K};

require_once __DIR__ . '/x.php';
$config = require 'config.php';

/** Lets people in. */
#[Service(1)]
abstract class Door extends Base implements E, \\F\\G
{
    const OPEN = 1, SHUT = 2;

    /** Who. */
    #[Column]
    private ?User $user = null; // kept
    public $a, $b;

    public function __construct(private int $size) {}

    #[Route('/')]
    public static function open(int $a): void
    {
        $this->go();
        self::make();
        help();
        new Key(1);
    }

    abstract protected function shut();
}

interface Lock { const A = 1; public function turn(); }
trait Rusty {}
enum Suit: string { case Hearts = 'H'; public function label() {} }
function run() {}
const TOP = 1;
`;

describe("E-01 the structure of PHP", () => {
  it("E-01 shows types with their members, functions and constants", async () => {
    const { shape } = await outlined("php", file);
    expect(shape).toEqual([
      "namespace App\\Auth",
      "class Door",
      "constant Door.OPEN",
      "constant Door.SHUT",
      "property Door.$user",
      "property Door.$a",
      "property Door.$b",
      "constructor Door.__construct",
      "method Door.open",
      "method Door.shut",
      "interface Lock",
      "constant Lock.A",
      "method Lock.turn",
      "trait Rusty",
      "enum Suit",
      "constant Suit.Hearts",
      "method Suit.label",
      "function run",
      "constant TOP",
    ]);
  });

  it("E-01 spans hold doc comment and attributes", async () => {
    const { span, body, symbol } = await outlined("php", file);
    expect(span("Door")).toBe(
      file.slice(file.indexOf("/** Lets"), file.indexOf("\n\ninterface Lock")),
    );
    expect(span("Door.$user")).toBe(
      "/** Who. */\n    #[Column]\n    private ?User $user = null; // kept",
    );
    expect(span("Door.open")).toMatch(/^#\[Route\('\/'\)\]\n[^]*\n {4}\}$/);
    expect(body("Door.open")).toMatch(/^\{\n {8}\$this[^]*\n {4}\}$/);
    expect(symbol("Door")).toMatchObject({
      doc: "Lets people in.",
      bases: ["Base", "E", "\\F\\G"],
      decorators: ["Service(1)"],
    });
    expect(symbol("Door.$user").isPrivate).toBe(true);
  });

  it("E-01 imports and calls", async () => {
    const { imports, references } = await outlined("php", file);
    expect(imports.toSorted()).toEqual(
      [
        "X: Y>Y",
        "X: Z>W",
        "Q: R>R",
        "function F: g>g",
        "G: I>I",
        "G: J>K",
        "__DIR__ . '/x.php':",
        "config.php:",
      ].toSorted(),
    );
    expect(references).toEqual([
      "member-call $this.go @Door.open",
      "member-call self.make @Door.open",
      "call help @Door.open",
      "call Key @Door.open",
    ]);
  });
});

const php = (text: string): Promise<string[]> => duplicatesIn("php", `<?php\n${text}`);

describe("E-02 what stands twice in PHP", () => {
  it.each([
    [
      "a constant, a property and a method of one name",
      "class A { const a = 1; public $a; function a() {} }",
    ],
    ["branches", "if (a()) { function f() {} } else { function f() {} }"],
    ["branches with colons", "if (a()):\nfunction f() {}\nelse:\nfunction f() {}\nendif;"],
    ["a guarded function", "if (!function_exists('f')) { function f() {} }\nfunction g() {}"],
    ["namespaces one after the other", "namespace A;\nclass X {}\nnamespace B;\nclass X {}\n"],
    ["namespaces with braces", "namespace A { class X {} }\nnamespace B { class X {} }\n"],
    ["a class and a function of one name", "class a {}\nfunction a() {}\n"],
    ["properties that differ in case", "class A { public $a; public $A; }"],
    [
      "anonymous classes",
      "$a = new class { function m() {} };\n$b = new class { function m() {} };\n",
    ],
    ["a class and a function imported", "use A\\f;\nuse function A\\f;\nuse const A\\f;\n"],
  ])("E-02 allows %s", async (_, text) => {
    expect(await php(text)).toEqual([]);
  });

  it.each([
    ["class A {\n function open() {}\n static function OPEN() {}\n}", "symbol OPEN 3,4"],
    ["class A {}\ninterface a {}", "symbol a 2,3"],
    ["namespace N;\nclass A { /* the namespace of it */ }\nclass A {}", "symbol A 3,4"],
    ["function f() {}\nfunction F() {}", "symbol F 2,3"],
    ["class A {\n public $a;\n private $a;\n}", "symbol $a 3,4"],
    ["class A {\n const B = 1;\n const B = 2;\n}", "symbol B 3,4"],
    ["enum A {\n case B;\n case B;\n}", "symbol B 3,4"],
    ["use A\\B;\nuse A\\B;", "import B 2,3"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await php(text)).toEqual([found]);
  });
});
