/** Reviewers for changes of one kind. */
import type { Affinity } from "./affinity.ts";

export const performance: Affinity = {
  roles: { code: 0.5, data: 0.1, styles: 0.1, document: 0.5 },
  paths: [
    {
      globs: ["**/{bench,benches,benchmark,benchmarks,perf}/**"],
      names: "perf bench benchmark cache index hot render",
      weight: 0.8,
    },
    { globs: ["*.sql", "**/{queries,repositories,dao}/**"], weight: 0.6 },
  ],
  words: `loop foreach sort query batch cache memo memoize buffer chunk paginate allocate alloc clone regex nested
    recursive latency throughput benchmark profile optimize slow fast hot render rerender lazy preload scan bulk cpu
    memory`,
  phrases: [
    "^for ",
    "^while ",
    ".foreach(",
    ".find(",
    ".findall(",
    "n+1",
    "select *",
    "o(n",
    "usememo",
    "readfilesync",
  ],
  languages: { sql: 0.3, c: 0.2, cpp: 0.3, rust: 0.2, go: 0.1 },
  domains: {
    "database-engine": 0.6,
    "game-simulation": 0.5,
    "data-pipeline": 0.4,
    "ml-pipeline": 0.4,
    networking: 0.3,
    compiler: 0.3,
    "embedded-systems": 0.3,
  },
};

export const concurrency: Affinity = {
  roles: { code: 0.3, document: 0.5 },
  paths: [
    {
      globs: ["**/{workers,jobs,queue,queues,scheduler,concurrency}/**"],
      names:
        "lock mutex queue worker scheduler thread async concurrent transaction cache retry pool semaphore lease",
      weight: 1.2,
    },
  ],
  words: `lock unlock rlock mutex semaphore thread goroutine chan channel select waitgroup atomic volatile async await promise
    future race concurrent parallel worker queue transaction commit rollback isolation retry backoff timer timeout
    interval lease heartbeat deadlock synchronized barrier spawn executor pool cancel abort signal fsync rename flock
    pid stale cas compareandswap idempotent isr irq interrupt dma`,
  phrases: [
    "go func",
    "for update",
    "begin immediate",
    "promise.all",
    "settimeout",
    "sync.",
    "threading.",
    "asyncio.",
    "tokio::",
  ],
  languages: { go: 0.3, rust: 0.2, java: 0.2 },
  domains: {
    "database-engine": 0.8,
    "os-kernel": 0.8,
    "embedded-systems": 0.6,
    networking: 0.5,
    "kubernetes-operator": 0.4,
    "game-simulation": 0.2,
    "data-pipeline": 0.3,
  },
};

export const apiCompatibility: Affinity = {
  roles: { code: 0.4, data: 0.3, document: 0.7, settings: 0.2, dependencies: 0.2, docs: 0.2 },
  paths: [
    {
      globs: [
        "**/{api,public,sdk,proto,protos,schema,schemas,openapi,graphql,routes,include}/**",
        "*.{proto,graphql,graphqls,avsc,thrift,d.ts,pyi}",
        "**/{openapi,swagger}*.{json,yaml,yml}",
        "CHANGELOG*",
      ],
      weight: 1.3,
    },
    {
      globs: ["**/{index,mod,lib,__init__,exports,public}.{ts,js,py,rs}"],
      weight: 0.7,
    },
  ],
  words: `export public deprecated deprecate removed rename version breaking compatible compatibility endpoint route
    response request status schema field enum optional required flag option argument default exit interface signature
    protobuf graphql openapi serialize format header v1 v2 semver`,
  phrases: [
    "export function",
    "export const",
    "export interface",
    "pub fn",
    "pub struct",
    "public class",
    "module.exports",
    "__all__",
    "@deprecated",
    "@app.",
    "router.",
    "add_argument",
  ],
  domains: {
    "library-sdk": 1.2,
    "web-api": 0.8,
    "mcp-server": 0.6,
    "cli-tool": 0.4,
    "editor-extension": 0.2,
  },
};

export const dataMigration: Affinity = {
  roles: { data: 0.3, code: 0.1, document: 0.4 },
  paths: [
    {
      globs: [
        "**/{migrations,migration,migrate,alembic,flyway,liquibase,schema-changes}/**",
        "**/db/**/*.sql",
        "schema.{rb,sql,prisma}",
        "*.prisma",
      ],
      names: "migration migrate backfill",
      weight: 2,
    },
    { globs: ["*.sql", "**/{models,entities}/**"], weight: 0.7 },
  ],
  words: `migration migrate backfill schema column constraint foreign index unique nullable truncate upgrade
    downgrade revision convert legacy`,
  phrases: [
    "alter table",
    "drop table",
    "drop column",
    "create table",
    "add column",
    "not null",
    "create index",
    "rename to",
    "add_column",
    "remove_column",
    "op.execute",
    "update ",
  ],
  languages: { sql: 0.8 },
  domains: { "data-pipeline": 0.3, "database-engine": 0.3, "web-api": 0.1, "fullstack-web": 0.1 },
};

export const dependency: Affinity = {
  roles: { dependencies: 2, settings: 0.6, document: 0.2 },
  paths: [
    {
      globs: [
        "{package,composer,deno,bower}.json",
        "*{-lock,.lock}*",
        "{go.mod,go.sum,Cargo.toml,pyproject.toml,setup.py,setup.cfg,Pipfile,Gemfile,*.gemspec,pom.xml,build.gradle,build.gradle.kts,mix.exs,pubspec.yaml,Podfile,Package.swift,*.csproj,Directory.Packages.props}",
        "requirements*.txt",
        "**/{vendor,third_party}/**",
        ".gitmodules",
        "{renovate,.renovaterc}*",
        "dependabot.yml",
      ],
      weight: 2,
    },
    { globs: ["Dockerfile*", ".github/workflows/**", "*.tf", "docker-compose*"], weight: 0.9 },
  ],
  words: `dependency dependencies devdependencies peerdependencies version upgrade bump license postinstall preinstall
    registry checksum integrity vendored submodule image pin`,
  phrases: ["uses:", "from:", "require (", "pip install", "npm install", "apt-get", "curl "],
};

export const userProduct: Affinity = {
  roles: { docs: 1.5, code: 0.2, styles: 0.8, document: 1.9, data: 0.2 },
  paths: [
    {
      globs: [
        "*.{tsx,jsx,vue,svelte,html,swift,xib,storyboard}",
        "**/{ui,views,pages,screens,components,templates,cli,commands,locales,i18n,translations}/**",
        "README*",
        "**/docs/**",
      ],
      weight: 1,
    },
  ],
  words: `message label button title placeholder tooltip help usage prompt confirm warning notify notification toast
    dialog modal form onboarding welcome locale translate i18n print echo flag command option default empty spinner
    user customer price checkout signup email`,
  phrases: [
    "console.log",
    "println",
    "error message",
    "did you mean",
    "--help",
    "user story",
    "acceptance",
  ],
  domains: {
    "cli-tool": 0.6,
    "tui-app": 0.6,
    "mobile-app": 0.6,
    "desktop-app": 0.6,
    "frontend-spa": 0.5,
    "fullstack-web": 0.4,
    "docs-site": 0.6,
    bot: 0.4,
  },
};

export const gameDesign: Affinity = {
  roles: { data: 0.2, document: 0.1 },
  paths: [
    {
      globs: [
        "**/{balance,balancing,economy,quests,items,enemies,weapons,loot,levels,abilities,skills,gameplay,units}/**",
      ],
      names: "balance economy loot quest enemy weapon damage progression difficulty spawn",
      weight: 1.5,
    },
  ],
  words: `damage health hp xp experience level loot spawn enemy player weapon armor armour gold coin economy
    cooldown quest reward difficulty balance mana speed attack defense crafting inventory combat boss wave score tick
    agent need hunger mood`,
  domains: { "game-simulation": 1.6 },
};

export const accessibility: Affinity = {
  roles: { styles: 1, document: 0.1, docs: 0.1 },
  paths: [
    {
      globs: [
        "*.{tsx,jsx,vue,svelte,html,css,scss,less}",
        "**/{components,views,pages,screens,ui,templates}/**",
        "*.{xib,storyboard}",
        "**/res/layout/**",
      ],
      weight: 1.4,
    },
  ],
  words: `aria alt role tabindex focus blur keyboard keydown onclick label button input form color colour contrast
    animation motion transition font zoom screen reader image img icon modal dialog outline hover heading
    semantics accessible a11y`,
  phrases: [
    "aria-",
    "<div",
    "<button",
    "<img",
    "<input",
    "onclick",
    "outline: none",
    "contentdescription",
    "accessibilitylabel",
  ],
  languages: { tsx: 0.5, html: 0.5, css: 0.6, vue: 0.5, svelte: 0.5 },
  domains: {
    "frontend-spa": 0.5,
    "fullstack-web": 0.4,
    "mobile-app": 0.5,
    "desktop-app": 0.3,
    "docs-site": 0.3,
    "tui-app": 0.3,
  },
};
