import type { DomainSignals } from "./schema.ts";

export const editorExtension: DomainSignals = {
  domain: "editor-extension",
  about: "A plug-in for a code editor or IDE: VS Code, JetBrains, Vim, Emacs, Sublime, Zed.",
  nature: "product",
  definingFiles:
    ".vscodeignore META-INF/plugin.xml plugin/*.vim *.sublime-project extension.vsixmanifest *.vsixmanifest Cask extension.toml",
  uniqueFiles:
    "*.sublime-commands *.sublime-settings autoload/*.vim ftplugin/*.vim *.tmLanguage *.tmLanguage.json *.sublime-syntax after/*.vim plugin/*.lua language-configuration.json *.sublime-keymap",
  frameworks: {
    npm: "vscode coc.nvim vscode-languageclient obsidian atom-languageclient",
    gradle: "org.jetbrains.intellij org.jetbrains.intellij.platform",
    cargo: "zed_extension_api nvim-oxi",
    pypi: "pynvim",
    maven: "com.jetbrains.intellij.idea:*",
  },
  tools: {
    npm: "@types/vscode @vscode/vsce vsce @vscode/test-electron vscode-test ovsx obsidian @vscode/test-cli @types/atom",
  },
  entries: "npm:vscode-extension",
  extensions: "vim el elc vimrc",
  uniqueDirectories: "autoload ftplugin snippets syntaxes ftdetect lua",
  directories: "plugin doc after syntax queries",
  statements: [
    "\\b(?:vs ?code|visual studio code|neovim|vim|emacs|intellij|jetbrains|sublime text|zed|obsidian) (?:extension|plugin|package|mode|theme)\\b",
    "\\b(?:plugin|extension|keybindings|package) (?:for|to) (?:vs ?code|visual studio code|neovim|vim|emacs|intellij|sublime|obsidian)\\b",
    "\\bfor (?:neo)?vim\\b",
  ],
  keywords: [
    "vscode",
    "vscode-extension",
    "neovim",
    "vim",
    "emacs",
    "plugin",
    "intellij-plugin",
    "obsidian",
  ],
  // A plug-in beside the program that it calls.
  against: {
    "entry-point:go:main": 0.6,
    "entry-point:cargo:bin": 0.6,
    "entry-point:python:scripts": 0.6,
    "entry-point:native:installed-program": 0.6,
  },
};
