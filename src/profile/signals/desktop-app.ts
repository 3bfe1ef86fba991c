import type { DomainSignals } from "./schema.ts";

export const desktopApp: DomainSignals = {
  domain: "desktop-app",
  about:
    "A program with windows of its own on a desktop system: Electron, Tauri, Qt, GTK, WPF and kin.",
  nature: "product",
  definingFiles:
    "tauri.conf.json tauri.conf.json5 src-tauri/Cargo.toml electron-builder.yml electron-builder.json electron-builder.json5 forge.config.* electron.vite.config.* wails.json neutralino.config.json *.xaml *.axaml *.ui *.desktop.in Info.plist.in *.appdata.xml *.metainfo.xml *.glade",
  uniqueFiles:
    "*.desktop snapcraft.yaml *.qml *.iss *.nsi *.xib *.flatpak.yml Package.appxmanifest *.qrc *.wxs",
  frameworks: {
    npm: "electron @tauri-apps/api nw @neutralinojs/lib @nodegui/nodegui",
    pypi: "pyqt5 pyqt6 pyside2 pyside6 wxpython kivy customtkinter pygobject dearpygui flet pywebview beeware toga ttkbootstrap",
    cargo:
      "tauri iced egui eframe gtk4 gtk druid slint fltk gpui relm4 libadwaita dioxus-desktop floem",
    go: "fyne.io/fyne github.com/wailsapp/wails gioui.org github.com/therecipe/qt github.com/lxn/walk",
    maven: "org.openjfx:* org.eclipse.platform:org.eclipse.swt com.formdev:flatlaf",
    gradle: "org.openjfx.javafxplugin org.jetbrains.compose",
    nuget:
      "avalonia avalonia.desktop microsoft.windowsappsdk mahapps.metro materialdesignthemes dotnet:wpf dotnet:winforms eto.forms prism.wpf communitytoolkit.mvvm",
    native:
      "qt5 qt6 qt5widgets qt6widgets gtk+-3.0 gtk4 gtk+-2.0 wxwidgets libadwaita-1 fltk gtkmm-3.0 juce kf5 kf6 kf5coreaddons kf6coreaddons",
    composer: "nativephp/electron",
    pub: "window_manager bitsdojo_window macos_ui fluent_ui",
  },
  tools: {
    npm: "electron electron-builder @electron-forge/cli electron-vite electron-packager @electron/packager @tauri-apps/cli electron-webpack vue-cli-plugin-electron-builder",
  },
  helpers: {
    npm: "electron-updater electron-store electron-log",
    cargo: "winit rfd tray-icon wry",
  },
  entries: "dotnet:winexe python:gui-scripts swift:macos-app",
  uniqueDirectories: "src-tauri",
  directories: "windows macos gui ui forms dialogs widgets resources icons",
  categories: [
    "cargo:gui",
    "python:Environment :: X11 Applications",
    "python:Environment :: MacOS X",
    "python:Environment :: Win32",
  ],
  statements: [
    "\\bdesktop (?:app|application|client|program)\\b",
    "\\bcross-platform (?:desktop )?(?:application|gui|editor|client)\\b",
    "\\b(?:gui|graphical) (?:app|application|client|frontend|interface) (?:for|based|to)\\b",
  ],
  keywords: ["electron", "tauri", "desktop", "qt", "gtk", "gui"],
  against: { "entry-point:own-name": 0.5, "statement:library-sdk": 0.35 },
  givesWay: { to: ["game-simulation"], by: 0.5 },
};
