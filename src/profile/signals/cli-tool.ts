import type { DomainSignals } from "./schema.ts";

export const cliTool: DomainSignals = {
  domain: "cli-tool",
  about: "A program that is started with arguments in a terminal, does its work and ends.",
  nature: "form",
  uniqueFiles: "oclif.manifest.json .goreleaser.yml .goreleaser.yaml",
  frameworks: {
    npm: "commander yargs oclif @oclif/core cac meow citty clipanion caporal vorpal gluegun ink-cli @clack/prompts sade",
    pypi: "click typer fire docopt cleo cliff plumbum cyclopts rich-click cement asyncclick",
    cargo: "clap structopt argh lexopt pico-args docopt bpaf gumdrop clap_derive",
    go: "github.com/spf13/cobra github.com/urfave/cli github.com/alecthomas/kong github.com/alecthomas/kingpin github.com/jessevdk/go-flags github.com/mitchellh/cli github.com/docopt/docopt-go github.com/peterbourgon/ff github.com/integrii/flaggy",
    maven:
      "info.picocli:picocli com.beust:jcommander com.github.ajalt.clikt:* commons-cli:commons-cli com.github.scopt:*",
    nuget:
      "system.commandline commandlineparser spectre.console.cli mcmaster.extensions.commandlineutils cocona",
    composer: "symfony/console laravel-zero/framework minicli/minicli",
    gems: "thor optimist slop gli dry-cli",
    swift: "swift-argument-parser",
    hex: "optimus",
    pub: "args",
  },
  helpers: {
    npm: "chalk ora inquirer minimist cli-table3 update-notifier picocolors kleur listr2 boxen prompts cosmiconfig execa",
    pypi: "rich tqdm colorama prompt-toolkit argcomplete configargparse",
    cargo:
      "clap_complete indicatif anstream termcolor colored dialoguer console assert_cmd clap_mangen",
    go: "github.com/fatih/color github.com/spf13/pflag github.com/spf13/viper github.com/charmbracelet/lipgloss github.com/mattn/go-isatty github.com/AlecAivazis/survey",
    gems: "tty-prompt pastel",
  },
  entries:
    "npm:bin cargo:bin python:scripts go:cmd dotnet:tool gems:executables composer:bin native:installed-program cargo:binstall",
  commonEntries:
    "go:main dotnet:exe native:program python:main swift:executable mix:escript maven:main-class",
  uniqueDirectories: "completions completion",
  directories: "cmd cmds commands cli man",
  categories: [
    "cargo:command-line-utilities",
    "python:Environment :: Console",
    "python:Topic :: Utilities",
    "python:Topic :: Terminals",
    "python:Topic :: System :: Shells",
  ],
  statements: [
    "\\bcommand[- ]line\\b(?! (?:argument|option|parser|parsing|interface(?:s)? (?:framework|library|builder)|app(?:lication)?s\\b))",
    "\\bcli\\b(?! (?:framework|library|builder|apps\\b|app framework))",
    "\\b(?:tool|utility) (?:for|to|that)\\b",
    "\\bpackage manager\\b",
    "\\b(?:in|from|for|on) (?:your|the) (?:terminal|shell|command line|console)\\b",
  ],
  keywords: ["cli", "command-line", "terminal", "tool", "shell", "console", "utility"],
  against: { "entry-point:own-name": 0.5, "entry-point:go:library": 0.5 },
  givesWay: { to: "all", except: ["cli-tool", "library-sdk", "docs-site"], by: 0.6 },
};
