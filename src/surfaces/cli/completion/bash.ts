import {
  type Place,
  quote,
  spellings,
  transitions,
  valueCompletion,
  valuedSpellings,
} from "./model.ts";

/** Needs no bash-completion package; works in bash 3.2, which macOS still ships. */
export const bashCompletion = (places: readonly Place[]): string =>
  `# bash completion for headgate. Use: source <(headgate completion bash)
_headgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="" place="" word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$previous" in ${valuedSpellings(places).join("|")}) previous=""; continue ;; esac
    previous="$word"
    [ "$word" = -- ] && { previous=""; break; }
    case "$place:$word" in
${transitions(places)}
    esac
  done
  case "$place:$previous" in
${values(places)}
  esac
  case "$place" in
${candidates(places)}
  esac
}
complete -F _headgate headgate`;

const values = (places: readonly Place[]): string =>
  places
    .flatMap(({ path, options }) =>
      options
        .filter(([, option]) => option.type === "string")
        .map((option) => {
          const patterns = spellings(option).map((spelling) => quote(`${path}:${spelling}`));
          return `    ${patterns.join("|")}) ${valueReply(valueCompletion(option[1]))}return ;;`;
        }),
    )
    .join("\n");

const valueReply = (kind: ReturnType<typeof valueCompletion>): string => {
  if (kind === "none") return "";
  if (kind === "files") return `COMPREPLY=($(compgen -f -- "$current")); `;
  if (kind === "folders") return `COMPREPLY=($(compgen -d -- "$current")); `;
  return `COMPREPLY=($(compgen -W ${quote(kind.join(" "))} -- "$current")); `;
};

const candidates = (places: readonly Place[]): string =>
  places
    .map(({ path, names, options, completes }) => {
      const flags = options.flatMap(spellings);
      const words = [
        ...names.map(([name]) => name),
        ...(Array.isArray(completes) ? completes : []),
      ];
      const files = completes === "files" ? ` $(compgen -f -- "$current")` : "";
      return `    ${quote(path)})
      case "$current" in
        -*) COMPREPLY=($(compgen -W ${quote(flags.join(" "))} -- "$current")) ;;
        *) COMPREPLY=($(compgen -W ${quote(words.join(" "))} -- "$current")${files}) ;;
      esac ;;`;
    })
    .join("\n");
