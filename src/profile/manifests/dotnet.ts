import type { Dependency, ManifestReader } from "./types.ts";
import { nameAndDescription } from "./values.ts";
import { attributeOf, xmlElements } from "./xml.ts";

export const dotnetProject: ManifestReader = {
  files: "*.csproj *.fsproj *.vbproj",
  read: (text, path) => {
    const elements = xmlElements(text);
    const property = (name: string) =>
      elements.find((element) => element.path.endsWith(`/PropertyGroup/${name}`))?.text;
    const sdk = attributeOf(elements.at(-1)?.attributes ?? "", "Sdk") ?? "";
    const isTest = elements.some(({ attributes }) => /Microsoft\.NET\.Test\.Sdk/i.test(attributes));
    const packages = elements
      .filter((element) => /\/(?:PackageReference|FrameworkReference)$/.test(element.path))
      .flatMap(({ attributes }) => attributeOf(attributes, "Include")?.toLowerCase() ?? []);
    const frameworks: Dependency[] = [...packages, sdk.toLowerCase(), ...windowsKinds(property)]
      .filter((name) => name !== "")
      .map((name) => ({ ecosystem: "nuget", name, ...(isTest && { use: "dev" as const }) }));
    const output = property("OutputType")?.toLowerCase();
    const isWeb = /\.Web$/i.test(sdk);
    const entries: string[] = [];
    if (property("PackAsTool") === "true") entries.push("dotnet:tool");
    else if (output === "winexe") entries.push("dotnet:winexe");
    else if (isWeb) entries.push("dotnet:web");
    else if (output === "exe") entries.push("dotnet:exe");
    else if (!isTest) entries.push("dotnet:library");
    const packed = [
      "PackageId",
      "PackageTags",
      "GeneratePackageOnBuild",
      "PackageLicenseExpression",
    ];
    if (!isTest && packed.some((name) => property(name))) entries.push("dotnet:packable");
    return {
      ecosystem: "dotnet",
      isPackage: true,
      ...nameAndDescription(
        property("PackageId") ?? path.replace(/^.*\//, "").replace(/\.\w+$/, ""),
        property("Description"),
      ),
      keywords: (property("PackageTags") ?? "").split(/[;,\s]+/).filter((word) => word !== ""),
      dependencies: frameworks,
      entries,
    };
  },
};

const windowsKinds = (property: (name: string) => string | undefined): string[] => [
  ...(property("UseWPF") === "true" ? ["dotnet:wpf"] : []),
  ...(property("UseWindowsForms") === "true" ? ["dotnet:winforms"] : []),
  ...(property("UseMaui") === "true" ? ["microsoft.maui.controls"] : []),
];
