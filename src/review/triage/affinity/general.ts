/** Reviewers for nearly every change. */
import type { Affinity } from "./affinity.ts";

export const correctness: Affinity = {
  roles: {
    code: 2,
    tests: 1,
    data: 0.8,
    settings: 0.8,
    styles: 0.3,
    dependencies: 0.3,
    document: 1.6,
  },
  paths: [],
  words: `null undefined none nil error err except throw catch raise panic unwrap index offset length range bound overflow
    round float decimal timezone date parse encode decode default fallback retry partial rollback invariant assert
    boundary equal compare empty`,
  phrases: ["if (", "else if", "<=", ">=", "!=", "?? ", "|| "],
  domains: { compiler: 0.4, scientific: 0.5, "smart-contract": 0.4, "database-engine": 0.3 },
};

export const safety: Affinity = {
  roles: { code: 1.5, settings: 1, dependencies: 0.8, tests: 0.4, data: 0.4, document: 1.2 },
  paths: [
    {
      globs: [
        "**/{auth,authn,authz,login,session,sessions,security,crypto,permissions,acl,oauth,sso,secrets}/**",
        ".env*",
      ],
      names:
        "auth login password passwd secret token crypto permission policy sandbox sanitize escape cors csrf jwt",
      weight: 1.5,
    },
    {
      globs: [
        "**/{middleware,routes,controllers,handlers,api,upload,uploads}/**",
        "Dockerfile*",
        "*.tf",
      ],
      weight: 0.7,
    },
    {
      globs: [".github/workflows/**", ".gitlab-ci.yml", "Jenkinsfile", ".circleci/**"],
      weight: 0.8,
    },
  ],
  words: `password passwd secret token credential auth authenticate authorize authorization login session cookie csrf
    cors jwt oauth permission role admin tenant acl sanitize escape exec eval spawn subprocess shell popen pickle
    deserialize unserialize yaml xml upload download redirect url fetch webhook encrypt decrypt cipher hmac sign
    signature certificate tls ssl nonce salt hash bcrypt random chmod chown sudo root path traversal symlink unlink
    rmtree innerhtml dangerously html template query sql injection allowlist whitelist blocklist header origin key
    apikey env`,
  phrases: [
    "os.system",
    "shell=true",
    "rm -rf",
    "api_key",
    "private key",
    "innerhtml",
    "child_process",
  ],
  domains: {
    "web-api": 0.5,
    "fullstack-web": 0.5,
    cryptography: 0.8,
    "smart-contract": 0.8,
    "browser-extension": 0.5,
    "mcp-server": 0.5,
    "agent-plugin": 0.5,
    "infra-as-code": 0.4,
    "os-kernel": 0.4,
    networking: 0.4,
  },
};

export const quality: Affinity = {
  roles: { code: 1, tests: 0.8, settings: 0.3, docs: 0.6, styles: 0.5, data: 0.2, document: 0.9 },
  paths: [],
  words: `todo fixme hack workaround deprecated legacy copy duplicate helper util utils misc manager refactor rename
    temporary disable ignore noqa any suppress`,
  phrases: ["eslint-disable", "@ts-ignore", "type: ignore", "nolint", "as any"],
  size: 1,
};

export const architecture: Affinity = {
  roles: { code: 0.6, settings: 0.3, document: 2, dependencies: 0.3, tests: 0.1, docs: 0.2 },
  paths: [
    {
      globs: [
        "**/{index,mod,lib,__init__,main,app,compose,container,registry,factory}.{ts,js,py,rs,go}",
        "**/{core,domain,infra,adapters,ports,shared,common,platform}/**",
        "**/{architecture,adr,decisions}/**",
      ],
      weight: 0.8,
    },
  ],
  words: `interface abstract module package layer service repository adapter port factory registry plugin inject
    dependency provider container event bus singleton extends implements boundary facade`,
  domains: { "library-sdk": 0.2, compiler: 0.2, "desktop-app": 0.2 },
  size: 1.2,
};

export const tests: Affinity = {
  roles: { tests: 2, code: 0.5, document: 0.5, settings: 0.2 },
  paths: [
    {
      globs: [
        "**/{test,tests,__tests__,spec,specs,e2e,testdata,fixtures}/**",
        "*{.test,.spec,_test,Test,Tests}.*",
        "test_*.py",
        "conftest.py",
        "{jest,vitest,playwright,cypress,karma}.config.*",
      ],
      weight: 1.2,
    },
  ],
  words: `test describe expect assert mock stub spy fixture snapshot skip flaky fake monkeypatch parametrize coverage
    beforeeach aftereach setup teardown`,
  phrases: ["it(", "it.skip", "t.skip", ".only(", "@pytest", "time.sleep", "#[test]", "func test"],
  untested: 1,
};
