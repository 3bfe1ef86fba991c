/** Light, dark, or as the system has it. The style sheet does the rest by `color-scheme`. */
import { remembered } from "./browser.ts";

export type Theme = "system" | "light" | "dark";

const stored = remembered(() => localStorage, "headgate.theme");
const order: readonly Theme[] = ["system", "light", "dark"];

export const readTheme = (): Theme => order.find((one) => one === stored.get()) ?? "system";

export const applyTheme = (theme: Theme): void => {
  stored.set(theme === "system" ? null : theme);
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

export const nextTheme = (theme: Theme): Theme =>
  order[(order.indexOf(theme) + 1) % order.length] ?? "system";

/** Whether dark is shown just now; charts paint their own colours. */
export const isDark = (): boolean => {
  const theme = readTheme();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
};
