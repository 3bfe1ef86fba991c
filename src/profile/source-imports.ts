/** Top-level packages that a Python source imports, by the names they are installed under. */
export const importsOf = (source: string): string[] => {
  const found = new Set<string>();
  for (const match of source.matchAll(/^(?:import|from)\s+([A-Za-z_]\w*)/gm)) {
    const name = match[1] ?? "";
    found.add(installedAs.get(name) ?? name.toLowerCase().replaceAll("_", "-"));
  }
  return [...found];
};

const installedAs = new Map([
  ["sklearn", "scikit-learn"],
  ["cv2", "opencv-python"],
  ["discord", "discord-py"],
  ["telegram", "python-telegram-bot"],
  ["PyQt5", "pyqt5"],
  ["rest_framework", "djangorestframework"],
  ["airflow", "apache-airflow"],
]);
