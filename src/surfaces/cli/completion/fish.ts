import type { Option } from "../command.ts";
import { type Place, quote as shellQuote, valueCompletion, valuedSpellings } from "./model.ts";

export const fishCompletion = (places: readonly Place[]): string =>
  `# fish completion for headgate. Use: headgate completion fish | source
function __headgate_place
    set -l place
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case ${valuedSpellings(places).join(" ")}
                set skip yes
            case --
                break
            case '-*'
            case '*'
                switch (string join ' ' $place $word)
                    case ${places.flatMap(({ path }) => (path === "" ? [] : [quote(path)])).join(" ")}
                        set -a place $word
                end
        end
    end
    string join ' ' $place
end
function __headgate_at
    set -l place (__headgate_place)
    test "$place" = "$argv[1]"
end
complete -c headgate -f
${places.flatMap(placeLines).join("\n")}`;

const placeLines = ({ path, names, options, completes }: Place): string[] => {
  const at = `complete -c headgate -n ${quote(`__headgate_at ${quote(path)}`)}`;
  return [
    ...names.map(([name, summary]) => `${at} -a ${quote(name)} -d ${quote(summary)}`),
    ...(completes === "files" ? [`${at} -F`] : []),
    ...(Array.isArray(completes) ? [`${at} -a ${quote(completes.join(" "))}`] : []),
    ...options.map(([name, option]) => `${at} ${optionWords(name, option)}`),
  ];
};

const optionWords = (name: string, option: Option): string => {
  const words = [`-l ${name}`];
  if (option.short !== undefined) words.push(`-s ${option.short}`);
  if (option.type === "string") words.push(valueWords(option));
  return [...words, `-d ${quote(option.description)}`].join(" ");
};

const valueWords = (option: Option): string => {
  const kind = valueCompletion(option);
  if (kind === "files") return "-r -F";
  if (kind === "folders") return `-x -a '(__fish_complete_directories)'`;
  return kind === "none" ? "-x" : `-x -a ${quote(kind.join(" "))}`;
};

/** Fish knows \\' inside single quotes, where the other shells end the string. */
const quote = (text: string): string =>
  text.includes("'") || text.includes("\\")
    ? `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
    : shellQuote(text);
