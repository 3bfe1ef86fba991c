import type { Option } from "../command.ts";
import { type Place, quote, transitions, valueCompletion, valuedSpellings } from "./model.ts";

/** One function that finds its place and hands that place's options and names to `_arguments`. */
export const zshCompletion = (places: readonly Place[]): string =>
  `#compdef headgate
# zsh completion for headgate. Use: source <(headgate completion zsh)   (after compinit)
_headgate() {
  local place="" skip=no word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ $skip = yes ]]; then skip=no; continue; fi
    case "$word" in
      ${valuedSpellings(places).join("|")}) skip=yes; continue ;;
      --) break ;;
    esac
    case "$place:$word" in
${transitions(places)}
    esac
  done
  local -a names
  names=()
  case "$place" in
${places.map(placeCase).join("\n")}
  esac
}
_headgate_names() { _describe -t names 'headgate' names }
compdef _headgate headgate`;

const placeCase = ({ path, names, options, completes }: Place): string => {
  const listed = [
    ...names.map(([name, summary]) => `${name}:${summary}`),
    ...(Array.isArray(completes) ? completes : []),
  ];
  const positional = completes === "files" ? "'*:file:_files'" : "'*:name:_headgate_names'";
  const specs = options.flatMap(([name, option]) => optionSpecs(name, option));
  return `    ${quote(path)})
      names=(${listed.map(quote).join(" ")})
      _arguments -s ${[...specs.map(quote), positional].join(" ")} ;;`;
};

const optionSpecs = (name: string, option: Option): string[] => {
  const text = option.description.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const short = option.short === undefined ? [] : [`-${option.short}[${text}]`];
  if (option.type === "boolean") return [`--${name}[${text}]`, ...short];
  return [`--${name}=[${text}]:${option.value ?? "value"}:${valueAction(option)}`];
};

const valueAction = (option: Option): string => {
  const kind = valueCompletion(option);
  if (kind === "files") return "_files";
  if (kind === "folders") return "_files -/";
  return kind === "none" ? " " : `(${kind.join(" ")})`;
};
