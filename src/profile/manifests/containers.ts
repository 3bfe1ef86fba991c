import type { ManifestReader } from "./types.ts";
import {
  dependenciesOf,
  keysOf,
  linesOf,
  listOf,
  member,
  nameAndDescription,
  parseYaml,
  textOf,
  textsOf,
} from "./values.ts";

export const dockerfile: ManifestReader = {
  files: "Dockerfile Containerfile",
  read: (text) => {
    const lines = linesOf(text, "#");
    const images = lines.flatMap((line) => /^FROM\s+(?:--\S+\s+)*(\S+)/i.exec(line)?.[1] ?? []);
    const isServer = lines.some((line) => /^EXPOSE\s+\d/i.test(line));
    return {
      ecosystem: "docker",
      dependencies: dependenciesOf("docker", images.map(imageName)),
      entries: isServer ? ["docker:exposes-port"] : [],
    };
  },
};

export const composeFile: ManifestReader = {
  files: "docker-compose.yml docker-compose.yaml compose.yaml compose.yml",
  read: async (text) => {
    const services = member(await parseYaml(text), "services");
    const all = keysOf(services).map((key) => member(services, key));
    const images = all.flatMap((service) => textOf(member(service, "image")) ?? []);
    const isOwnServer = all.some(
      (service) =>
        member(service, "build") !== undefined && listOf(member(service, "ports")).length > 0,
    );
    return {
      ecosystem: "docker",
      dependencies: dependenciesOf("docker", images.map(imageName)),
      entries: isOwnServer ? ["docker:exposes-port"] : [],
    };
  },
};

/** `docker.io/library/postgres:16@sha256:…` is `postgres`. */
const imageName = (image: string): string =>
  image
    .replace(/@.*$/s, "")
    .replace(/:[^:/]*$/, "")
    .replace(/^docker\.io\//, "")
    .replace(/^library\//, "");

export const helmChart: ManifestReader = {
  files: "Chart.yaml",
  read: async (text) => {
    const chart = await parseYaml(text);
    const names = listOf(member(chart, "dependencies")).flatMap(
      (one) => textOf(member(one, "name")) ?? [],
    );
    return {
      ecosystem: "helm",
      isPackage: true,
      ...nameAndDescription(member(chart, "name"), member(chart, "description")),
      dependencies: dependenciesOf("helm", names),
      keywords: textsOf(member(chart, "keywords")),
      entries: ["helm:chart"],
    };
  },
};

/** Terraform is told by its files' names; which kind of project it is, by what they declare. */
export const terraform: ManifestReader = {
  files: "main.tf",
  read: (text) => ({
    ecosystem: "terraform",
    entries: [
      ...(/^[^\S\n]*resource\s+"/m.test(text) ? ["terraform:resources"] : []),
      ...(/^[^\S\n]*module\s+"/m.test(text) ? ["terraform:module"] : []),
    ],
  }),
};
