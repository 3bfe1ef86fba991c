/** C and C++: what is built, and on what. Build descriptions are programs; only their plain calls are read. */
import type { ManifestReader } from "./types.ts";
import { dependenciesOf, linesOf, nameAndDescription } from "./values.ts";

export const cmakeLists: ManifestReader = {
  files: "CMakeLists.txt",
  read: (text) => {
    const plain = linesOf(text, "#").join("\n");
    const calls = (name: string) => [
      ...plain.matchAll(new RegExp(`\\b${name}\\s*\\(\\s*([^)]{0,2000})`, "gi")),
    ];
    const words = (match: RegExpMatchArray) => (match[1] ?? "").trim().split(/\s+/);
    const packages = calls("find_package").flatMap((match) => {
      const [name = "", ...rest] = words(match);
      const isQt = /^Qt[56]?$|^KF[56]$/i.test(name) || name.includes("QT_VERSION");
      const own = name.includes("QT_VERSION") ? "qt6" : name.toLowerCase();
      return isQt ? [own, ...rest.map((part) => own + part.toLowerCase())] : [own];
    });
    const modules = calls("pkg_check_modules").flatMap((match) => words(match).slice(1));
    const project = calls("project")[0];
    const libraries = calls("add_library");
    const isInstalled = /\binstall\s*\(/i.test(plain);
    const programs = [...calls("add_executable"), ...calls("qt_add_executable")].filter(
      (match) => !/test|bench|example|fuzz/i.test(words(match)[0] ?? ""),
    );
    return {
      ecosystem: "cmake",
      isPackage: project !== undefined,
      ...nameAndDescription(
        project && words(project)[0],
        /DESCRIPTION\s+"([^"]+)"/.exec(project?.[1] ?? "")?.[1],
      ),
      dependencies: dependenciesOf("native", [...packages, ...modules.map(withoutVersion)]),
      entries: [
        ...(libraries.some((match) => /\bINTERFACE\b/.test(match[1] ?? ""))
          ? ["cmake:header-only"]
          : []),
        ...(libraries.length > 0
          ? [isInstalled ? "native:installed-library" : "native:library"]
          : []),
        ...(programs.length > 0
          ? [isInstalled && libraries.length === 0 ? "native:installed-program" : "native:program"]
          : []),
      ],
    };
  },
};

export const mesonBuild: ManifestReader = {
  files: "meson.build",
  read: (text) => {
    const plain = linesOf(text, "#").join("\n");
    const names = [...plain.matchAll(/\bdependency\(\s*'([^']+)'/g)].map((match) => match[1] ?? "");
    const isProject = /^[^\S\n]*project\s*\(/m.test(plain);
    return {
      ecosystem: "meson",
      isPackage: isProject,
      dependencies: dependenciesOf("native", names.map(withoutVersion)),
      entries: [
        ...(/\b(?:shared_library|static_library|both_libraries|library)\s*\(/.test(plain)
          ? ["native:library"]
          : []),
        ...(/\bexecutable\s*\(/.test(plain) ? ["native:program"] : []),
      ],
    };
  },
};

export const autotools: ManifestReader = {
  files: "configure.ac configure.in Makefile.am",
  read: (text) => {
    const plain = linesOf(text, "#").join("\n");
    const checked = [
      ...plain.matchAll(/PKG_CHECK_MODULES\(\s*\[?\w+\]?\s*,\s*\[?([\w.+-]+)/g),
      ...plain.matchAll(/AC_CHECK_LIB\(\s*\[?([\w.+-]+)/g),
    ];
    return {
      ecosystem: "autotools",
      isPackage: /\bAC_INIT\b/.test(plain),
      dependencies: dependenciesOf(
        "native",
        checked.map((match) => withoutVersion(match[1] ?? "")),
        "optional",
      ),
      entries: [
        ...(/\blib_LTLIBRARIES\s*\+?=\s*\w/.test(plain) ? ["native:installed-library"] : []),
        ...(/\bbin_PROGRAMS\s*\+?=\s*\w/.test(plain) ? ["native:installed-program"] : []),
      ],
    };
  },
};

export const conanfile: ManifestReader = {
  files: "conanfile.txt conanfile.py vcpkg.json",
  read: (text) => {
    const names = [
      ...text.matchAll(
        /["'\s]([a-z][\w.+-]*)\/\d|"name":\s*"([\w-]+)"|^[^\S\n]*"([a-z][\w-]+)",?$/gm,
      ),
    ];
    return {
      ecosystem: "native",
      dependencies: dependenciesOf(
        "native",
        names.map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
      ),
    };
  },
};

const withoutVersion = (name: string): string => name.replace(/[<>=].*$/s, "").toLowerCase();
