/** The package files that are understood, one reader each; what cannot be read is evidence of nothing. */
import { gemfile, gemspec } from "./bundler.ts";
import { cargoConfig } from "./cargo-config.ts";
import { cargoToml } from "./cargo.ts";
import { composerJson } from "./composer.ts";
import { composeFile, dockerfile, helmChart, terraform } from "./containers.ts";
import { dotnetProject } from "./dotnet.ts";
import { godotProject, platformio, unityPackages, unityProject, unrealProject } from "./engines.ts";
import { goMod, goWork } from "./go.ts";
import { gradleBuild, gradleCatalog, gradleSettings } from "./gradle.ts";
import { pomXml } from "./maven.ts";
import { mixExs } from "./mix.ts";
import { autotools, cmakeLists, conanfile, mesonBuild } from "./native.ts";
import { denoJson, packageJson, pnpmWorkspace, webExtension } from "./npm.ts";
import { pubspec } from "./pub.ts";
import {
  condaEnvironment,
  pipfile,
  pyproject,
  requirementsTxt,
  setupCfg,
  setupPy,
} from "./python.ts";
import { packageSwift, xcodeProject } from "./swift.ts";
import type { ManifestReader } from "./types.ts";

export type { Dependency, ManifestFacts, ManifestReader } from "./types.ts";

/** Every manifest that can be read. */
export const manifestReaders: readonly ManifestReader[] = [
  packageJson,
  pnpmWorkspace,
  denoJson,
  webExtension,
  cargoToml,
  cargoConfig,
  goMod,
  goWork,
  pyproject,
  requirementsTxt,
  setupCfg,
  setupPy,
  pipfile,
  condaEnvironment,
  pomXml,
  gradleBuild,
  gradleSettings,
  gradleCatalog,
  dotnetProject,
  composerJson,
  gemfile,
  gemspec,
  packageSwift,
  xcodeProject,
  cmakeLists,
  mesonBuild,
  autotools,
  conanfile,
  mixExs,
  pubspec,
  dockerfile,
  composeFile,
  helmChart,
  terraform,
  godotProject,
  unityProject,
  unityPackages,
  unrealProject,
  platformio,
];
