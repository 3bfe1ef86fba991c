import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { evidenceOfFile } from "../../src/profile/evidence.ts";

const of = async (path: string, text: string | Uint8Array) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return evidenceOfFile(path, bytes);
};
const keys = async (path: string, text: string) =>
  (await of(path, text)).evidence.map(({ key }) => key);

describe("evidence of one manifest", () => {
  it.each([
    ["package.json", '{"dependencies":{"express":"4"}}', "framework:npm:express"],
    ["package.json", '{"bin":"x.js","name":"x"}', "entry-point:npm:bin"],
    ["package.json", '{"name":"x","main":"x.js"}', "entry-point:npm:library"],
    [
      "package.json",
      '{"engines":{"vscode":"^1"},"main":"x.js"}',
      "entry-point:npm:vscode-extension",
    ],
    ["package.json", '{"devDependencies":{"express":"4"}}', "framework:npm:express?dev"],
    ["package.json", '{"devDependencies":{"electron":"30"}}', "framework:npm:electron"],
    ["package.json", '{"name":"express","main":"x"}', "entry-point:own-name"],
    ["deno.json", '{"imports":{"h":"jsr:@hono/hono@4"}}', "framework:npm:hono"],
    ["Cargo.toml", '[package]\nname="x"\n[[bin]]\nname="x"\n', "entry-point:cargo:bin"],
    [
      "Cargo.toml",
      '[dependencies]\nb = { package = "bevy", version = "1" }\n',
      "framework:cargo:bevy",
    ],
    ["Cargo.toml", '[target."cfg(unix)".dependencies]\nratatui = "1"\n', "framework:cargo:ratatui"],
    [
      "Cargo.toml",
      '[package]\nname="x"\ncategories=["cryptography"]',
      "category:cargo:cryptography",
    ],
    [
      "go.mod",
      "module x\nrequire github.com/spf13/cobra/v2 v2.0.0\n",
      "framework:go:github.com/spf13/cobra",
    ],
    ["go.mod", "module github.com/gin-gonic/gin\n", "entry-point:own-name"],
    [
      "pyproject.toml",
      '[project]\nname="x"\ndependencies=["FastAPI[all]>=1"]',
      "framework:pypi:fastapi",
    ],
    [
      "pyproject.toml",
      '[tool.poetry]\nname="x"\n[tool.poetry.dependencies]\ntorch="2"',
      "framework:pypi:torch",
    ],
    [
      "pyproject.toml",
      '[project]\nname="x"\n[project.scripts]\nx="x:m"',
      "entry-point:python:scripts",
    ],
    ["requirements.txt", "# c\nflask==3 ; python_version > '3'\n", "framework:pypi:flask"],
    ["requirements-dev.txt", "flask\n", "framework:pypi:flask?dev"],
    [
      "setup.cfg",
      "[metadata]\nname = x\n[options]\ninstall_requires =\n  typer>=1\n",
      "framework:pypi:typer",
    ],
    ["setup.py", "setup(name='x', install_requires=['click'])", "framework:pypi:click"],
    ["Pipfile", '[packages]\nsanic = "*"\n', "framework:pypi:sanic"],
    [
      "environment.yml",
      "dependencies:\n  - scipy\n  - pip:\n    - torch\n",
      "framework:pypi:torch",
    ],
    [
      "app/build.gradle",
      "plugins {\n  id 'com.android.application'\n}",
      "entry-point:gradle:android-application",
    ],
    [
      "build.gradle.kts",
      'dependencies {\n  implementation("io.ktor:ktor-server-netty:2")\n}',
      "framework:maven:io.ktor:ktor-server-netty",
    ],
    [
      "gradle/libs.versions.toml",
      '[libraries]\na = { module = "org.apache.spark:spark-sql", version = "3" }',
      "framework:maven:org.apache.spark:*?optional",
    ],
    [
      "composer.json",
      '{"require":{"laravel/framework":"^11"}}',
      "framework:composer:laravel/framework",
    ],
    ["Gemfile", 'gem "rails"\n', "framework:gems:rails"],
    ["x.gemspec", 's.add_dependency "sinatra"\n', "framework:gems:sinatra"],
    [
      "Package.swift",
      '.package(url: "https://x.org/a/vapor.git", from: "4.0.0")',
      "framework:swift:vapor",
    ],
    [
      "CMakeLists.txt",
      "project(x)\nfind_package(Qt6 REQUIRED COMPONENTS Widgets)",
      "framework:native:qt6widgets",
    ],
    ["meson.build", "project('x', 'c')\ndependency('gtk4')", "framework:native:gtk4"],
    ["mix.exs", '  {:phoenix, "~> 1.7"},\n', "framework:hex:phoenix"],
    ["pubspec.yaml", "dependencies:\n  flutter:\n    sdk: flutter\n", "framework:pub:flutter"],
    [
      "Dockerfile",
      "FROM docker.io/pytorch/pytorch:2.3\nEXPOSE 80\n",
      "framework:docker:pytorch/pytorch",
    ],
    [
      "compose.yaml",
      "services:\n  a:\n    image: apache/airflow:2@sha256:0\n",
      "framework:docker:apache/airflow",
    ],
    ["main.tf", 'resource "a" "b" {}', "entry-point:terraform:resources"],
    ["Chart.yaml", "name: x\ndependencies:\n  - name: grafana\n", "framework:helm:grafana"],
    ["project.godot", 'config/name="x"', "entry-point:godot:project"],
    ["ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6", "entry-point:unity:project"],
    ["X.uproject", "{}", "entry-point:unreal:project"],
    ["platformio.ini", "[env:a]\nplatform = espressif32@6\n", "framework:platformio:espressif32"],
    [
      "a/X.csproj",
      '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
      "framework:nuget:microsoft.net.sdk.web",
    ],
    [
      "pom.xml",
      "<project><dependencies><dependency><groupId>io.quarkus</groupId><artifactId>q</artifactId></dependency></dependencies></project>",
      "framework:maven:io.quarkus:*",
    ],
    ["README.md", "# x\n\nA Discord bot for quizzes.\n", "statement:bot"],
    ["cmd/a/main.go", "package main", "entry-point:go:cmd"],
  ])("%s with %s tells %s", async (path, text, key) => {
    expect(await keys(path, text)).toContain(key);
  });

  it.each([
    ["go.mod", "require (\n\tgithub.com/spf13/cobra v1 // indirect\n)\n"],
    ["requirements.txt", "torch==2.0\n    # via sentence-transformers\n"],
    [
      "pom.xml",
      "<project><!-- <dependency><groupId>io.quarkus</groupId><artifactId>q</artifactId></dependency> --></project>",
    ],
    ["manifest.json", '{"name":"a web app","start_url":"/"}'],
    [
      "build.gradle.kts",
      'plugins { }\n// id("com.android.application")\nid("com.android.application") version "8" apply false\n',
    ],
  ])("%s: what only seems to be there is no evidence (%s)", async (path, text) => {
    const found = await keys(path, text);
    expect(found.filter((key) => /^framework|webextension|android/.test(key))).toEqual([]);
  });

  it("workspaces name their members", async () => {
    const members = async (path: string, text: string) =>
      (await of(path, text)).packages[0]?.members;
    expect(await members("package.json", '{"workspaces":["a/*"]}')).toEqual(["a/*"]);
    expect(await members("package.json", '{"workspaces":{"packages":["b"]}}')).toEqual(["b"]);
    expect(await members("pnpm-workspace.yaml", "packages: [c, '!d']")).toEqual(["c", "!d"]);
    expect(await members("Cargo.toml", '[workspace]\nmembers=["e"]\nexclude=["f"]')).toEqual([
      "e",
      "!f",
    ]);
    expect(await members("go.work", "use (\n\t./g\n)\nuse ./h\n")).toEqual(["./g", "./h"]);
    expect(await members("pyproject.toml", '[tool.uv.workspace]\nmembers=["i"]')).toEqual(["i"]);
  });
});

describe("hostile and broken manifests are notes", () => {
  const noted = async (path: string, text: string | Uint8Array): Promise<string[]> =>
    (await of(path, text)).notes.map((note) => note.path);

  it.each([
    ["package.json", '{"dependencies":'],
    ["Cargo.toml", "[package\n"],
    ["pnpm-workspace.yaml", "a: [b\n"],
    ["pom.xml", "<project><dependencies></project>"],
    ["pom.xml", "<!DOCTYPE x [<!ENTITY a 'b'>"],
    ["Chart.yaml", "a: &a\n  - *b\n"],
  ])("%s: %s", async (path, text) => {
    expect(await noted(path, text)).toEqual([path]);
  });

  it("nesting without end", async () => {
    expect(await noted("Cargo.toml", `a = ${"[".repeat(100_000)}`)).toEqual(["Cargo.toml"]);
    expect(await noted("pubspec.yaml", "[".repeat(20_000))).toEqual(["pubspec.yaml"]);
    expect(await noted("pom.xml", "<a>".repeat(5_000))).toEqual(["pom.xml"]);
    expect(await noted("package.json", "[".repeat(200_000))).toEqual(["package.json"]);
  });

  it("aliases of aliases", async () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let at = 1; at < 12; at += 1) {
      lines.push(`a${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(", ")}]`);
    }
    expect(await noted("compose.yaml", lines.join("\n"))).toEqual(["compose.yaml"]);
  });

  it("a manifest of 50 MB", async () => {
    expect(await noted("package.json", new Uint8Array(50 * 1024 * 1024))).toEqual(["package.json"]);
    expect(limits.profileManifestBytesMax).toBeLessThan(50 * 1024 * 1024);
  });

  it("the name of a broken file still counts", async () => {
    const { evidence, notes } = await of("src-tauri/Cargo.toml", "[");
    expect(notes).toHaveLength(1);
    expect(evidence.map(({ key }) => key)).toContain("defining-file:src-tauri/Cargo.toml");
  });

  it("prototype keys are keys like others", async () => {
    const text =
      '{"name":"x","__proto__":{"dependencies":{"express":"4"}},"dependencies":{"__proto__":{"a":1},"constructor":"1","toString":"1"}}';
    const { evidence, notes } = await of("package.json", text);
    expect(notes).toEqual([]);
    expect(evidence.map(({ key }) => key)).toEqual([]);
    expect(({} as Record<string, unknown>)["dependencies"]).toBeUndefined();
  });

  it("fields of another type than usual are as if they were not there", async () => {
    const text =
      '{"name":7,"dependencies":["express"],"keywords":"x","workspaces":3,"scripts":null}';
    expect(await of("package.json", text)).toMatchObject({ notes: [], evidence: [] });
  });
});
