import { describe, expect, it } from "vitest";
import { duplicatesIn, outlined } from "./outlined.ts";

const file = `# frozen_string_literal: true
require 'set'
require_relative "near"
autoload :Foo, 'foo'

module M::N
  # Holds things.
  class A < B::C # kept
    # Makes one.
    def initialize(a, b = 1); end

    LIMIT = 1
    Point = Struct.new(:x) do
      def sum; end
    end

    def self.build(a)
      help(1)
      self.go
      A.build(2)
    rescue
      1
    end

    class << self
      def other = 1
    end

    # Hidden.
    private def first; end
    def shown; end

    private

    def hidden; end
    def value=(v); end
  end
end

def top; end
`;

describe("E-01 the structure of Ruby", () => {
  it("E-01 shows modules, classes, methods and constants", async () => {
    const { shape } = await outlined("ruby", file);
    expect(shape).toEqual([
      "module M::N",
      "class M::N.A",
      "constructor M::N.A.initialize",
      "constant M::N.A.LIMIT",
      "class M::N.A.Point",
      "method M::N.A.Point.sum",
      "method M::N.A.build",
      "method M::N.A.other",
      "method M::N.A.first",
      "method M::N.A.shown",
      "method M::N.A.hidden",
      "method M::N.A.value=",
      "function top",
    ]);
  });

  it("E-01 spans hold the comment above, also of the first in a body", async () => {
    const { span, core, body, symbol } = await outlined("ruby", file);
    expect(span("M::N.A")).toMatch(/^# Holds things\.\n {2}class A < B::C # kept\n[^]*\n {2}end$/);
    expect(span("M::N.A.initialize")).toBe("# Makes one.\n    def initialize(a, b = 1); end");
    expect(core("M::N.A.initialize")).toBe("def initialize(a, b = 1); end");
    expect(span("M::N.A.first")).toBe("# Hidden.\n    private def first; end");
    const late = await outlined("ruby", "def f\n  1\nend unless g\n");
    expect(late.span("f")).toBe("def f\n  1\nend unless g");
    expect(late.core("f")).toBe("def f\n  1\nend");
    expect(body("M::N.A.build")).toMatch(/^help\(1\)\n[^]*1$/);
    expect(symbol("M::N.A")).toMatchObject({ bases: ["B::C"], doc: "Holds things." });
    const hidden = ["first", "shown", "hidden", "value="].map(
      (name) => symbol(`M::N.A.${name}`).isPrivate,
    );
    expect(hidden).toEqual([true, false, true, true]);
  });

  it("E-01 imports and calls", async () => {
    const { imports, references } = await outlined("ruby", file);
    expect(imports).toEqual(["set: >set", "near: >near", "foo: Foo>Foo"]);
    expect(references.filter((one) => one.endsWith("@M::N.A.build"))).toEqual([
      "call help @M::N.A.build",
      "member-call self.go @M::N.A.build",
      "member-call A.build @M::N.A.build",
    ]);
  });

  it("E-01 knows files that make names at run time", async () => {
    expect((await outlined("ruby", "define_method(:a) {}")).outline.isDynamic).toBe(true);
    expect((await outlined("ruby", "def method_missing(a); end")).outline.isDynamic).toBe(true);
    expect((await outlined("ruby", "def a; end")).outline.isDynamic).toBe(false);
  });
});

describe("E-02 what stands twice in Ruby", () => {
  it.each([
    ["a class opened again", "class A; def a; end; end\nclass A; def b; end; end\n"],
    ["a method of both the class and its objects", "class A; def a; end; def self.a; end; end"],
    ["the singleton class", "class A; def a; end; class << self; def a; end; end; end"],
    ["a reader and a writer", "class A; def a; end; def a=(v); end; def a?; end; end"],
    ["branches", "if a\n def f; end\nelsif b\n def f; end\nelse\n def f; end\nend\n"],
    ["cases", "case a\nwhen 1\n def f; end\nwhen 2\n def f; end\nend\n"],
    ["a rescue", "begin\n def f; end\nrescue LoadError\n def f; end\nend\n"],
    ["a condition behind", "def f; end\ndef f; end if a\n"],
    ["a first one put aside", "class A\n def f; end\n alias_method :old, :f\n def f; end\nend\n"],
    ["a first one put aside by alias", "class A\n def f; end\n alias old f\n def f; end\nend\n"],
    [
      "a first one of the class itself put aside",
      "class A\n def self.f; end\n class << self\n  alias old f\n end\n def self.f; end\nend\n",
    ],
    [
      "a first one of the class itself put aside by name",
      "class A\n def self.f; end\n singleton_class.alias_method :old, :f\n def self.f; end\nend\n",
    ],
    ["a first one taken away", "class A\n def f; end\n undef_method :f\n def f; end\nend\n"],
    [
      "blocks",
      "A = Struct.new(:a) do\n def f; end\nend\nB = Struct.new(:a) do\n def f; end\nend\n",
    ],
    ["a constant set twice", "A = 1\nA = 2\n"],
  ])("E-02 allows %s", async (_, text) => {
    expect(await duplicatesIn("ruby", text)).toEqual([]);
  });

  it.each([
    ["class A\n def f; end\n def f(a); end\nend\n", "symbol f 2,3"],
    ["class A\n def self.f; end\n def self.f; end\nend\n", "symbol f 2,3"],
    ["class A\n def f; end\n private def f; end\nend\n", "symbol f 2,3"],
    [
      "class A\n def self.f; end\n def self.f; end\n B.class_eval { define_method(:f) { 1 } }\nend\n",
      "symbol f 2,3",
    ],
    ["class A\n def f=(a); end\n def f=(b); end\nend\n", "symbol f= 2,3"],
    ["class A\n def f; end\n alias other fox\n def f; end\nend\n", "symbol f 2,4"],
    ["module A\n class << self\n  def f; end\n  def f; end\n end\nend\n", "symbol f 3,4"],
    ["def f; end\ndef f; end\n", "symbol f 1,2"],
    ["require 'set'\nrequire 'set'\n", "import set 1,2"],
  ])("E-02 finds %j", async (text, found) => {
    expect(await duplicatesIn("ruby", text)).toEqual([found]);
  });
});
