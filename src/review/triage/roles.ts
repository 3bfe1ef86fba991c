/** What each file of a subject is for, by its name and language. */
import { isDocumentName } from "../subject/names.ts";
import type { Subject, SubjectFile } from "../subject/types.ts";
import type { Role } from "./affinity/index.ts";

export const roleOf = ({ path, language }: SubjectFile, kind: Subject["kind"]): Role => {
  if (kind === "document") return "document";
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isDependencyList(name)) return "dependencies";
  if (testPath.test(path)) return "tests";
  if (isDocumentName(path) || docsPath.test(path)) return "docs";
  if (settingsPath.test(path)) return "settings";
  if (language === "css" || /\.(?:css|scss|sass|less|styl)$/i.test(name)) return "styles";
  if (language !== undefined && !isData(language)) return "code";
  if (codeEnding.test(name)) return "code";
  return "data";
};

const isData = (language: string): boolean => /^(?:json|yaml|toml|xml|csv|text)$/.test(language);

const isDependencyList = (name: string): boolean =>
  /^(?:package|composer|deno|bower)\.json$|^(?:go\.mod|go\.sum|go\.work|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Gemfile|pom\.xml|build\.gradle(?:\.kts)?|mix\.exs|pubspec\.yaml|Podfile|Package\.(?:swift|resolved)|npm-shrinkwrap\.json|\.gitmodules)$|^(?:requirements|constraints)[\w.-]*\.txt$|[-.]lock(?:\.json|\.yaml|b|\.hcl)?$|\.(?:gemspec|csproj|fsproj)$/i.test(
    name,
  );

const testPath =
  /(?:^|\/)(?:tests?|__tests?__|__mocks__|specs?|e2e|testdata|fixtures?|cypress)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.[a-z]+$|[.-](?:test|spec)\.[cm]?[jt]sx?$|[a-z]Tests?\.(?:java|kt|cs|swift|php)$|_spec\.rb$/;

const docsPath = /(?:^|\/)(?:docs?|documentation)\/[^.]*\.(?:md|mdx|rst|txt|html|png|svg)$/i;

const settingsPath =
  /(?:^|\/)\.(?:github|gitlab|circleci|buildkite|vscode|idea|devcontainer|husky)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile|azure-pipelines\.yml|Dockerfile[^/]*|docker-compose[^/]*|Makefile|Vagrantfile|Procfile|\.[^/]*rc(?:\.[a-z]+)?|\.editorconfig|\.gitattributes|\.gitignore|\.dockerignore|[^/]*\.config\.[cm]?[jt]s|tsconfig[^/]*\.json)$|(?:^|\/)(?:charts?|helm|k8s|kubernetes|deploy|deployment|ansible)\/.*\.ya?ml$/;

/** Code in languages whose structure is not read here. */
const codeEnding =
  /\.(?:dart|hs|ml|clj|cljs|erl|ex|exs|fs|vb|pl|pm|r|jl|nim|zig|v|sv|vhd|sol|vy|move|cairo|asm|s|m|mm|groovy|gradle|proto|graphql|graphqls|thrift|tf|bicep|ps1|bat|cmd|fish|zsh|gd|glsl|hlsl|wgsl|cu|metal|prisma|ipynb|cr|d|f90|cob|ada|lisp|el|scm|rkt|tcl|awk|vue|svelte|astro|erb|ejs|hbs|twig|liquid|jinja2?|j2|tmpl|xib|storyboard)$/i;
