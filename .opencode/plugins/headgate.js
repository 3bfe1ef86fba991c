// Headgate's door for opencode. Written by Headgate; changes here are lost with the next release.
import { spawn } from "node:child_process";

const timeoutMs = 60_000;

export const Headgate = async ({ directory, worktree }) => {
  const root = worktree && worktree !== "/" ? worktree : directory;

  /** Resolves with what Headgate says, throws what it refuses. A Headgate that fails is a refusal. */
  const ask = (event, fields) =>
    new Promise((resolve, reject) => {
      const refuse = (why) =>
        reject(new Error(why || "Headgate refused this without a reason; run: headgate doctor"));
      const child = spawn("/bin/sh", ["-c", "d=$2; [ -n \"$d\" ] || d=.; until [ -e \"$d/.git\" ] || [ ! -d \"$d/..\" ] || [ \"$d\" -ef / ]; do d=$d/..; done; g=$d/.git; [ ! -f \"$g\" ] || { read -r x p <\"$g\"; case $p in /*) g=$p ;; *) g=$d/$p ;; esac; }; [ ! -f \"$g/commondir\" ] || { read -r p <\"$g/commondir\"; case $p in /*) g=$p ;; *) g=$g/$p ;; esac; }; [ ! -O \"$g/headgate\" ] || [ -L \"$g/headgate\" ] || [ ! -f \"$g/headgate/hook\" ] || [ -L \"$g/headgate/hook\" ] || exec /bin/sh \"$g/headgate/hook\" \"$1\" \"$d\"", "headgate", "opencode", root], {
        cwd: directory,
        stdio: ["pipe", "pipe", "pipe"],
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      let [said, why] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (why += text));
      child.stdin.on("error", () => {});
      child.on("error", (error) => {
        clearTimeout(timer);
        refuse("Headgate could not be started (" + error.message + "); run: headgate doctor");
      });
      child.on("close", (code) => {
        clearTimeout(timer);
        if (code === 0) resolve(said);
        else refuse(why.trim());
      });
      child.stdin.end(JSON.stringify({ event, directory, ...fields }));
    });

  /** What is only told must not stop the agent. */
  const tell = (event, fields) => ask(event, fields).catch(() => "");
  /** Not every release tells the arguments again afterwards. */
  const argsOf = new Map();
  /** How each session begins: the rules, and who else is here. Its model reads it with every request. */
  const starts = new Map();
  const start = (sessionID) => {
    const said = starts.get(sessionID) ?? tell("session.created", { sessionID, listens: true });
    starts.set(sessionID, said);
    return said;
  };

  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      await ask("tool.execute.before", { tool, sessionID, callID, args });
      argsOf.set(callID, args);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const given = args ?? argsOf.get(callID);
      argsOf.delete(callID);
      const said = await tell("tool.execute.after", { tool, sessionID, callID, args: given });
      if (said && typeof output?.output === "string") output.output += "\n\n" + said;
    },
    "chat.message": async ({ sessionID }, output) => {
      const texts = (output?.parts ?? []).filter(({ type }) => type === "text");
      const prompt = texts.map(({ text }) => text).join("\n").slice(0, 8000);
      if (sessionID && prompt) await tell("chat.message", { sessionID, prompt });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const said = sessionID && (await start(sessionID));
      if (said && Array.isArray(output?.system)) output.system.push(said);
    },
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {};
      const session = sessionID ?? info?.id;
      if (!session) return;
      if (event.type === "session.created") await start(session);
      if (event.type === "session.idle") await tell(event.type, { sessionID: session });
      if (event.type === "session.deleted") {
        starts.delete(session);
        await tell(event.type, { sessionID: session });
      }
    },
  };
};
