import type { DomainSignals } from "./schema.ts";

export const browserExtension: DomainSignals = {
  domain: "browser-extension",
  about: "An add-on for a web browser.",
  nature: "product",
  definingFiles: "wxt.config.* web-ext-config.* web-ext-config.js .web-extension-id",
  uniqueFiles:
    "background.js content-script.js popup.html manifest-v3.json manifest.firefox.json manifest.chrome.json content_script.js manifest-chrome.json manifest-firefox.json manifest-mv3.json",
  frameworks: {
    npm: "webextension-polyfill wxt plasmo @plasmohq/storage webext-bridge",
    cargo: "web-extensions-sys",
  },
  tools: {
    npm: "wxt plasmo web-ext @crxjs/vite-plugin @types/chrome @types/firefox-webext-browser webextension-toolbox chrome-types @types/webextension-polyfill crx3 webextension-manifest",
  },
  entries: "webextension:manifest",
  uniqueDirectories: "_locales content-scripts content_scripts",
  directories: "background popup options content inject extension",
  statements: [
    "\\b(?:browser|chrome|firefox|safari|web|edge) (?:extension|add-?on|webextension)s?\\b(?! framework)",
    "\\bextension for (?:chrome|firefox|browsers|web browsers)\\b",
    "\\b(?:content blocker|ad blocker)\\b",
  ],
  keywords: [
    "chrome-extension",
    "browser-extension",
    "firefox-addon",
    "webextension",
    "extension",
    "webextensions",
  ],
  against: { "entry-point:own-name": 0.6, "statement:library-sdk": 0.3 },
};
