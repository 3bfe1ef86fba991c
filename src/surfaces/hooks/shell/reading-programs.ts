/** Programs that write no file whatever their words are, or with the words looked at here. */
import type { Word } from "./syntax-tree.ts";

/** Folders are no files, so `mkdir` counts as reading: nothing that somebody holds can change. */
const always = new Set(
  `: [ alias ag arch basename bc cal cat cksum cmp column comm cut date df diff dig dirname du echo egrep
  exit export expand expr false fgrep file fmt fold free getconf getent getopts grep groups hash head
  help hexdump history host hostname id jobs join kill last less let local locale logname ls lsof man
  md5 md5sum mkdir mkfifo more nl nproc nslookup od paste pgrep ping pkill popd pr printenv printf ps
  pwd read readlink readonly realpath return rev rg rmdir seq set sha1sum sha256sum sha512sum shasum
  shift shopt sleep stat strings sum sync tac tail test times top tput tr true tty type typeset declare
  ulimit umask unalias uname unexpand unset uptime users vmstat w wait wc whatis whereis which who
  whoami yes jq zcat zgrep break continue nm ldd objdump readelf size b2sum base64 cloc tokei
  bat exa eza`.split(/\s+/),
);

export const isReader = (name: string, words: readonly Word[]): boolean => {
  if (always.has(name)) return true;
  const texts = words.map(({ text }) => text);
  // A word that is worked out later might be any option.
  const isKnown = words.every(({ known, text }) => known || !text.startsWith("-"));
  switch (name) {
    case "find":
      return isKnown && !texts.some((text) => /^-(?:delete|exec|ok|fprint|fls)/.test(text));
    case "fd":
    case "tree":
      return isKnown && !texts.some((text) => /^-[a-zA-Z]*[oxX]|^--(?:exec|output)/.test(text));
    case "awk":
    case "gawk":
    case "mawk":
      return words.every(({ known, text }) => known && !/[>|]|system|inplace/.test(text));
    case "uniq":
    case "xxd":
      return texts.filter((text) => !text.startsWith("-")).length < 2;
    case "trap":
      return texts.length === 0;
    default:
      return texts.length === 1 && /^(?:--?version|--help|-V)$/.test(texts[0] ?? "");
  }
};
