import type { DomainSignals } from "./schema.ts";

export const tuiApp: DomainSignals = {
  domain: "tui-app",
  about: "An application with a full-screen user interface inside the terminal.",
  nature: "product",
  frameworks: {
    npm: "ink blessed neo-blessed terminal-kit @opentui/core react-blessed unblessed",
    pypi: "textual urwid npyscreen asciimatics pytermgui picotui",
    cargo: "ratatui tui cursive iocraft tuirealm r3bl_tui zi",
    go: "github.com/rivo/tview github.com/derailed/tview github.com/charmbracelet/bubbletea charm.land/bubbletea github.com/jroimartin/gocui github.com/jesseduffield/gocui github.com/awesome-gocui/gocui github.com/gizak/termui github.com/gdamore/tcell github.com/derailed/tcell github.com/nsf/termbox-go github.com/mum4k/termdash",
    maven: "com.googlecode.lanterna:lanterna org.jline:jline-curses",
    nuget: "terminal.gui",
    gems: "curses tty-screen",
    native: "ftxui notcurses",
    swift: "swifttui",
  },
  helpers: {
    cargo: "crossterm termion termwiz tui-textarea tui-input ratatui-image",
    go: "github.com/charmbracelet/bubbles charm.land/bubbles github.com/charmbracelet/lipgloss charm.land/lipgloss",
    pypi: "prompt-toolkit blessed",
    native: "ncurses ncursesw curses",
  },
  directories: "tui ui screens panes widgets popups",
  statements: [
    "\\bterminal[- ](?:based )?(?:ui|user interface|interface|dashboard|file manager|spreadsheet|player|client|app|application|multiplexer|workspace)\\b(?!s? (?:framework|library))",
    "\\btui\\b(?! (?:framework|library|apps|applications))",

    "\\bfull[- ]screen terminal\\b",
  ],
  keywords: ["tui", "terminal", "ncurses", "ratatui", "bubbletea", "terminal-ui"],
  against: { "entry-point:own-name": 0.6, "statement:library-sdk": 0.35 },
};
