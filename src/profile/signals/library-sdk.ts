import type { DomainSignals } from "./schema.ts";

export const librarySdk: DomainSignals = {
  domain: "library-sdk",
  about: "Code that other programs depend on: a library, framework, client or SDK.",
  nature: "form",
  definingEntries: "own-name go:library",
  uniqueFiles:
    "*.podspec *.gemspec *.nuspec *.rockspec *.opam .npmignore api-extractor.json *.pc.in",
  commonFiles:
    "rollup.config.* tsup.config.* typedoc.json tox.ini noxfile.py conanfile.py vcpkg.json MANIFEST.in Directory.Build.props",
  frameworks: {
    gradle:
      "com.vanniktech.maven.publish maven-publish java-library com.android.library org.jetbrains.dokka",
    maven:
      "org.sonatype.central:central-publishing-maven-plugin org.apache.maven.plugins:maven-source-plugin",
  },
  tools: {
    npm: "tsup tsdown unbuild microbundle @changesets/cli semantic-release np publint api-extractor @microsoft/api-extractor tsd bunchee pkgroll",
  },
  helpers: {
    npm: "rollup size-limit typedoc",
    gradle: "signing",
    nuget: "microsoft.sourcelink.github minver nerdbank.gitversioning",
  },
  entries:
    "npm:library cargo:lib python:library dotnet:library composer:library gems:gemspec swift:library native:installed-library maven:library pub:library mix:library deno:exports gradle:library npm:published cargo:published dotnet:packable python:published cmake:header-only",
  commonEntries: "native:library cargo:proc-macro npm:types",
  directories: "include",
  categories: [
    "cargo:api-bindings",
    "cargo:asynchronous",
    "cargo:data-structures",
    "cargo:encoding",
    "cargo:rust-patterns",
    "cargo:no-std",
    "cargo:parser-implementations",
    "cargo:date-and-time",
    "cargo:algorithms",
    "cargo:text-processing",
    "python:Topic :: Software Development :: Libraries",
  ],
  statements: [
    "\\b(?:library|libraries|framework|sdk|toolkit|middleware|bindings|serializer|deserializer|polyfill|orm|mapper)\\b",
    "\\b(?:api|http|rest|database|db|redis) (?:client|wrapper)\\b",
    "\\b(?:argument|args|json|xml|yaml|option) parser\\b",
    "\\b(?:client|package|module|gem|crate|runtime|utilities|api) (?:for|to) (?!download)",
    "\\b(?:logger|logging|http requests?|serialization|parsing) (?:for|made|in)\\b",
    "\\bdsl for\\b",
  ],
  keywords: [
    "library",
    "sdk",
    "framework",
    "client",
    "api-client",
    "middleware",
    "parser",
    "async",
  ],
  against: {
    "entry-point:npm:private": 0.5,
    "entry-point:npm:start": 0.3,
    "entry-point:cargo:bin": 0.25,
    "entry-point:cargo:unpublished": 0.5,
    "entry-point:docker:exposes-port": 0.15,
    "entry-point:composer:project": 0.6,
    "entry-point:gradle:application": 0.6,
    "entry-point:dotnet:exe": 0.5,
    "entry-point:dotnet:web": 0.5,
    "statement:cli-tool": 0.25,
  },
  givesWay: { to: "all", except: ["cli-tool", "library-sdk", "docs-site"], by: 0.5 },
};
