import { readdirSync } from "node:fs";
import { join } from "node:path";

/** libfaketime, made for programs with threads; it lies in a folder named after the machine's kind. */
export const faketimeLibrary = (): string | undefined => {
  const folders = readdirSync("/usr/lib").filter((folder) => folder.endsWith("-linux-gnu"));
  const [folder] = folders.filter((one) => readdirSync(`/usr/lib/${one}`).includes("faketime"));
  return folder && join("/usr/lib", folder, "faketime/libfaketimeMT.so.1");
};
