/** Whether a Python package is proven to be unknown: only lock files and environments list everything. */
import { foldersAbove, inFolder, type ModuleView } from "./module-view.ts";

const locks = ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"];
const manifestName =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|.*requirements.*\.(?:txt|in)|Pipfile|tox\.ini|noxfile\.py|environment.*\.ya?ml|meta\.ya?ml|Dockerfile|Makefile|justfile)$/i;
const manifestFolders = ["requirements", ".github/workflows"];

/** Distributions whose modules have other names. */
const distributions: Readonly<Record<string, string>> = {
  ...{
    yaml: "pyyaml",
    PIL: "pillow",
    cv2: "opencv",
    bs4: "beautifulsoup4",
    sklearn: "scikitlearn",
  },
  ...{ skimage: "scikitimage", MySQLdb: "mysqlclient", fitz: "pymupdf", magic: "pythonmagic" },
  ...{ attr: "attrs", pkg_resources: "setuptools", OpenSSL: "pyopenssl", serial: "pyserial" },
  ...{ usb: "pyusb", Crypto: "pycryptodome", Cryptodome: "pycryptodomex", docx: "pythondocx" },
  ...{ pptx: "pythonpptx", jose: "pythonjose", git: "gitpython", github: "pygithub", zmq: "pyzmq" },
  ...{
    gi: "pygobject",
    wx: "wxpython",
    win32api: "pywin32",
    pythoncom: "pywin32",
    win32con: "pywin32",
  },
  ...{ dns: "dnspython", ldap: "pythonldap", slugify: "pythonslugify", dateutil: "pythondateutil" },
  ...{ multipart: "pythonmultipart", socketio: "pythonsocketio", engineio: "pythonengineio" },
  ...{ google: "google", grpc: "grpcio", psycopg2: "psycopg2", psycopg: "psycopg", nacl: "pynacl" },
  ...{ markdown: "markdown", mdit_py_plugins: "mditpyplugins", cairo: "pycairo", ruamel: "ruamel" },
  ...{
    faiss: "faiss",
    umap: "umaplearn",
    Levenshtein: "levenshtein",
    snappy: "snappy",
    lzo: "lzo",
  },
  ...{ _pytest: "pytest", py: "pytest", flask_sqlalchemy: "flasksqlalchemy", kafka: "kafka" },
  ...{
    telegram: "pythontelegrambot",
    discord: "discordpy",
    OpenGL: "pyopengl",
    tkinterdnd2: "tkinterdnd2",
  },
  ...{ Xlib: "pythonxlib", ibm_db: "ibmdb", mpl_toolkits: "matplotlib", pylab: "matplotlib" },
  ...{
    azure: "azure",
    opentelemetry: "opentelemetry",
    sphinxcontrib: "sphinx",
    backports: "backports",
  },
};

/** Undefined: it is declared, installed or in use, or nothing is. */
export const undeclaredDistribution = (
  top: string,
  from: string,
  view: ModuleView,
): "sure" | "likely" | undefined => {
  for (const module of view.importedModules(from))
    if (module === top || module.startsWith(`${top}.`)) return undefined;
  const folders = foldersAbove(from);
  const kept = folders.flatMap((folder) =>
    locks.flatMap((lock) => view.text(inFolder(folder, lock)) ?? []),
  );
  const sites = sitePackages(view);
  if (sites.some((site) => ["", ".py"].some((ending) => view.kind(`${site}/${top}${ending}`))))
    return undefined;
  if (sites.some((site) => view.entries(site).some((name) => name.startsWith(`${top}.`))))
    return undefined;
  const wanted = [squeezed(top), ...(distributions[top] === undefined ? [] : [distributions[top]])];
  const manifests = manifestTexts(folders, view);
  const written = [...kept, ...manifests].map(squeezed);
  if (written.some((text) => wanted.some((name) => text.includes(name)))) return undefined;
  if (kept.length > 0 || sites.length > 0) return "sure";
  return manifests.some((text) => /dependencies|requires|==|>=/.test(text)) ? "likely" : undefined;
};

const manifestTexts = (folders: readonly string[], view: ModuleView): string[] => [
  ...folders.flatMap((folder) => textsIn(folder, manifestName, view)),
  ...manifestFolders.flatMap((folder) => textsIn(folder, /./, view)),
];

const textsIn = (folder: string, wanted: RegExp, view: ModuleView): string[] =>
  view
    .entries(folder)
    .filter((name) => wanted.test(name))
    .flatMap((name) => view.text(inFolder(folder, name)) ?? []);

const sitePackages = (view: ModuleView): string[] =>
  [".venv", "venv", "env"].flatMap((name) =>
    view
      .entries(`${name}/lib`)
      .map((python) => `${name}/lib/${python}/site-packages`)
      .filter((path) => view.kind(path) === "folder"),
  );

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[-_.\s]/g, "");
