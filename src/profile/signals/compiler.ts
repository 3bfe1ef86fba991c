import type { DomainSignals } from "./schema.ts";

export const compiler: DomainSignals = {
  domain: "compiler",
  about: "A compiler, interpreter, parser generator, language server or other tool for a language.",
  nature: "field",
  definingFiles:
    "*.yy *.ll *.g4 *.lalrpop *.td grammar.js *.mly tree-sitter.json *.pest *.ungram *.asdl",
  uniqueFiles:
    "*.y lexer.rs lexer.c lexer.go lexer.py lexer.ts lexer.cpp tokenizer.c tokenize.c codegen.c codegen.cpp codegen.rs codegen.go typecheck.c parser.y scanner.l *.l type_checker.rs typechecker.ts interpreter.c bytecode.c vm.c",
  frameworks: {
    npm: "chevrotain nearley jison antlr4 antlr4ts langium vscode-languageserver binaryen peggy ohm-js web-tree-sitter @babel/core @babel/types",
    pypi: "ply lark llvmlite antlr4-python3-runtime sly rply textx pygls",
    cargo:
      "inkwell llvm-sys cranelift cranelift-codegen cranelift-jit lalrpop lalrpop-util pest logos chumsky lsp-server lsp-types tower-lsp wasm-encoder salsa ra_ap_syntax rowan swc_core oxc_parser wasmparser tree-sitter ena",
    go: "tinygo.org/x/go-llvm github.com/llir/llvm github.com/alecthomas/participle github.com/antlr4-go/antlr go.lsp.dev/protocol",
    maven:
      "org.antlr:antlr4 org.antlr:antlr4-runtime org.ow2.asm:* org.eclipse.lsp4j:* org.bytedeco:llvm-platform org.graalvm.truffle:*",
    nuget: "antlr4.runtime.standard llvmsharp microsoft.codeanalysis.csharp",
    native: "llvm clang mlir bison flex libclang lld binaryen",
    swift: "swift-syntax",
  },
  helpers: {
    cargo: "ariadne codespan-reporting miette lasso nom winnow ecow",
    npm: "acorn magic-string",
  },
  directories:
    "parser lexer ast codegen ir syntax backend frontend interpreter vm typecheck optimizer stdlib",
  uniqueDirectories: "codegen compiler lexer ast",
  categories: [
    "cargo:compilers",
    "cargo:development-tools::build-utils",
    "python:Topic :: Software Development :: Compilers",
    "python:Topic :: Software Development :: Interpreters",
  ],
  statements: [
    "\\b(?:compiler|transpiler|interpreter|bytecode vm|language server|type ?checker|jit|bundler|minifier)\\b(?! (?:plugin|flags))",
    "\\bprogramming language\\b(?! (?:agnostic|bindings))",
    "\\bimplementation of (?:\\w+ ){0,3}language\\b",
    "\\bparser generator\\b",
  ],
  keywords: [
    "compiler",
    "language",
    "interpreter",
    "programming-language",
    "llvm",
    "lsp",
    "transpiler",
  ],
  against: { "statement:cli-tool": 0.15 },
};
