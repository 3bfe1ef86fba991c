import type { DomainSignals } from "./schema.ts";

export const docsSite: DomainSignals = {
  domain: "docs-site",
  about: "A website of written pages: documentation, a blog, a book, a landing page.",
  nature: "product",
  definingFiles:
    "docusaurus.config.* mkdocs.yml .vitepress/config.* book.toml antora.yml _config.yml hugo.toml hugo.yaml gatsby-config.* .eleventy.js eleventy.config.* theme.config.tsx _quarto.yml astro.config.* mint.json docs.json zensical.toml sidebars.js sidebars.ts rspress.config.* vitepress.config.* docs.yml",
  frameworks: {
    npm: "@docusaurus/core vitepress nextra @astrojs/starlight vuepress @11ty/eleventy hexo gatsby docsify fumadocs-core @markdoc/markdoc rspress",
    pypi: "mkdocs mkdocs-material sphinx pelican jupyter-book zensical",
    gems: "jekyll github-pages middleman nanoc just-the-docs",
    cargo: "mdbook zola",
  },
  tools: { npm: "vitepress @11ty/eleventy vuepress docsify-cli nextra astro @astrojs/starlight" },
  helpers: {
    npm: "@mdx-js/react @next/mdx remark gray-matter remark-mdx @docusaurus/preset-classic",
    pypi: "sphinx-rtd-theme furo myst-parser",
  },
  extensions: "mdx",
  generalExtensions: "md rst adoc markdown",
  uniqueDirectories: "_posts _layouts _includes versioned_docs .vitepress",
  directories: "docs content blog pages posts i18n static layouts archetypes themes",
  statements: [
    "\\b(?:documentation|docs|official|project|personal|static) (?:web ?)?sites?\\b(?! generator)",
    "\\b(?:source (?:code )?(?:for|of|files for) (?:the )?(?:\\S+ ){0,6}(?:website|documentation|docs|book|blog|site))\\b",
    "\\bthis (?:website|book|site) is built\\b",
    "\\b(?:documentation|website) (?:for|of) (?:the )?\\w+",
  ],
  keywords: ["documentation", "docs", "website", "blog", "docusaurus", "static-site"],
  against: { "entry-point:own-name": 0.6, "entry-point:own-front-end": 0.6 },
  givesWay: { to: "all", except: ["frontend-spa", "fullstack-web"], by: 0.9 },
};
