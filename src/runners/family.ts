/** By the model's name; the providers' own spellings, wherever a service puts them. */
const families: readonly (readonly [RegExp, string])[] = [
  [/claude|^(opus|sonnet|haiku|fable)\b/, "claude"],
  [/gpt|(^|[/:])o\d\b|codex|chatgpt/, "gpt"],
  [/gemini|gemma/, "gemini"],
  [/qwen|qwq/, "qwen"],
  [/deepseek/, "deepseek"],
  [/llama/, "llama"],
  [/mi[sx]tral|codestral|devstral|magistral/, "mistral"],
  [/grok/, "grok"],
  [/kimi|moonshot/, "kimi"],
  [/glm|zhipu/, "glm"],
  [/minimax/, "minimax"],
  [/\bphi\b|phi-?\d/, "phi"],
  [/command-?r|cohere/, "command"],
];

/** The family that a model belongs to; undefined for names that nobody knows. */
export const familyOf = (model: string | undefined): string | undefined => {
  const name = model?.toLowerCase();
  return name === undefined ? undefined : families.find(([pattern]) => pattern.test(name))?.[1];
};
