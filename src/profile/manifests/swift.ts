import type { ManifestReader } from "./types.ts";
import { dependenciesOf, nameAndDescription } from "./values.ts";

export const packageSwift: ManifestReader = {
  files: "Package.swift",
  read: (text) => {
    const plain = text.replace(/^[^\S\n]*\/\/.*$/gm, "");
    const urls = [
      ...plain.matchAll(/\.package\([^)]{0,200}?url:\s*"[^"]*\/([\w.-]+?)(?:\.git)?"/g),
    ];
    return {
      ecosystem: "swift",
      isPackage: true,
      ...nameAndDescription(/\bname:\s*"([^"]+)"/.exec(plain)?.[1], undefined),
      dependencies: dependenciesOf(
        "swift",
        urls.map((match) => (match[1] ?? "").toLowerCase()),
      ),
      entries: [
        ...(/\.library\(/.test(plain) ? ["swift:library"] : []),
        ...(/\.executable\(|\.executableTarget\(/.test(plain) ? ["swift:executable"] : []),
        ...(/\.iOSApplication\(/.test(plain) ? ["swift:ios-app"] : []),
      ],
    };
  },
};

/** What an Xcode project builds, by the kinds of product it names. */
export const xcodeProject: ManifestReader = {
  files: "project.pbxproj",
  read: (text) => {
    const isApp = text.includes("com.apple.product-type.application");
    const isPhone = /SDKROOT = iphoneos|IPHONEOS_DEPLOYMENT_TARGET/.test(text);
    return {
      ecosystem: "xcode",
      entries: isApp ? [isPhone ? "swift:ios-app" : "swift:macos-app"] : [],
    };
  },
};
