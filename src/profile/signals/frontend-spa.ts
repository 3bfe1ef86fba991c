import type { DomainSignals } from "./schema.ts";

export const frontendSpa: DomainSignals = {
  domain: "frontend-spa",
  about: "An application that runs in the browser and talks to somebody else's server.",
  nature: "product",
  definingFiles: "angular.json ember-cli-build.js elm.json craco.config.* .angular-cli.json",
  uniqueFiles: "vite.config.* vue.config.* webpack.config.* Trunk.toml rsbuild.config.*",
  commonFiles:
    "postcss.config.* tailwind.config.* public/index.html src/App.tsx src/App.jsx src/App.vue src/App.svelte src/main.tsx src/main.jsx",
  frameworks: {
    npm: "react-dom react-scripts vue @angular/core svelte preact solid-js ember-source @builder.io/qwik lit inferno alpinejs backbone aurelia-framework @ionic/react mithril react-app-rewired",
    cargo: "yew leptos dioxus-web sycamore seed",
    nuget: "microsoft.aspnetcore.components.webassembly",
    pub: "angular jaspr",
  },
  tools: {
    npm: "svelte react-scripts @angular/cli @vue/cli-service @vitejs/plugin-react @vitejs/plugin-react-swc @vitejs/plugin-vue @sveltejs/vite-plugin-svelte",
  },
  helpers: {
    npm: "react react-router-dom react-router @tanstack/react-router @tanstack/react-query redux @reduxjs/toolkit react-redux zustand mobx vuex pinia vue-router @angular/router @mui/material antd @chakra-ui/react tailwindcss styled-components axios swr @emotion/react bootstrap vite",
    cargo: "wasm-bindgen web-sys gloo",
  },
  commonEntries: "npm:private",
  extensions: "vue svelte elm",
  generalExtensions: "tsx jsx scss css html",
  directories: "components pages views hooks store stores assets public features",
  statements: [
    "\\bsingle[- ]page (?:app|application)\\b",
    "\\b(?:react|vue|angular|svelte|frontend|front-end) (?:app|application|architecture|client|codebase)\\b",
    "\\bweb (?:app|client|interface|frontend)\\b",
  ],
  keywords: ["react", "vue", "angular", "svelte", "spa", "frontend", "pwa", "redux"],
  against: {
    "entry-point:own-name": 0.6,
    "entry-point:own-front-end": 0.6,
    "entry-point:npm:library": 0.35,
    "statement:library-sdk": 0.35,
  },
  givesWay: {
    to: [
      "fullstack-web",
      "desktop-app",
      "browser-extension",
      "mobile-app",
      "docs-site",
      "editor-extension",
      "game-simulation",
    ],
    by: 0.6,
  },
};
