/**
 * How a caller shows that it is the one its claims were granted to (T-03). A session that the system itself showed needs
 * nothing else. A name that was only said (`--as`, HEADGATE_ACTOR, the library, a header) needs the secret of the grant.
 * The secret follows from a key in the state folder and from where the name was said: the same terminal or script
 * finds it again by itself, another one passes it along. The store has its hash only.
 */
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { makeKey, readKey } from "../base/key-file.ts";
import { ownIdentity } from "../base/process-identity.ts";
import { type ProcessSurroundings, readSurroundings } from "../base/process-surroundings.ts";
import { sha256 } from "../base/sha256.ts";
import type { ActingProcess } from "./actors/acting-process.ts";
import { userActor } from "./actors/actor.ts";
import { isNameGiven } from "./actors/launcher.ts";
import { isAtTerminal } from "./actors/person.ts";
import type { Actor, HolderProof } from "./types.ts";

export const claimSecretVariable = "HEADGATE_CLAIM_SECRET";

export interface ProofOptions {
  readonly stateFolder: string;
  readonly files?: Files;
}

/** Of an actor whose name the environment, the command line or a program gave. */
export const proveHolder = (
  actor: Actor,
  environment: Environment,
  options: ProofOptions & {
    acting(): ActingProcess;
    /** That was passed along; default: the variable's. */
    readonly secret?: string | undefined;
    readonly surroundings?: ProcessSurroundings;
  },
): HolderProof => {
  const { surroundings = readSurroundings(), stateFolder } = options;
  const acting = once(options.acting);
  const isShown = once(
    () =>
      isSessionShown(actor, acting()) ||
      actor.session === userActor(environment).session ||
      isNameGiven(actor.id, acting().above, stateFolder) ||
      // A person may act under every name of theirs.
      (acting().agent === undefined && isAtTerminal(acting(), surroundings)),
  );
  const place = () =>
    isShown() ? sessionPlace(actor) : `said ${placeSaid(acting(), surroundings)} ${actor.id}`;
  const passed = options.secret ?? (environment.variables[claimSecretVariable] || undefined);
  return proofAt(place, { ...options, isShown, passed });
};

/** Of an actor whose session another part of the program knows: the payload of a hook, a run. */
export const shownHolder = (actor: Actor, options: ProofOptions): HolderProof =>
  proofAt(() => sessionPlace(actor), { ...options, isShown: () => true });

/** The hash is in the store, which others may read. */
export const hashSecret = (secret: string): string => sha256(`headgate holder:${secret}`);

const isSessionShown = (actor: Actor, { session, launcher }: ActingProcess): boolean =>
  session !== undefined &&
  launcher === undefined &&
  `${session.harness}:${session.session}` === actor.session;

const sessionPlace = ({ session }: Actor): string => `session ${session}`;

/** The terminal or script: what the system calls a session, which no program can join. Elsewhere the name alone. */
const placeSaid = ({ own }: ActingProcess, { sessionNumber }: ProcessSurroundings): string => {
  const session = own && sessionNumber(own.pid);
  return session === undefined ? "" : `${ownIdentity().bootId} ${session}`;
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Nothing is looked at before a claim that is bound to a secret is met, or a new one is granted. */
const proofAt = (
  place: () => string,
  options: ProofOptions & { isShown(): boolean; readonly passed?: string | undefined },
): HolderProof => {
  const { stateFolder, files = systemFiles, isShown, passed } = options;
  const path = join(stateFolder, "holders.key");
  let own: string | undefined;
  const secretBy = (key: string | undefined): string | undefined => {
    // A hash within a hash: a caller can add nothing to what is hashed.
    if (key !== undefined) own ??= sha256(`${key} ${sha256(`${key} ${place()}`)}`);
    return own;
  };
  return {
    get isShown() {
      return isShown();
    },
    secret: () => secretBy(own ?? readKey(path, files) ?? makeKey(path, files)) ?? "",
    // Without a key nothing was ever bound here.
    hashes: () =>
      [secretBy(own ?? readKey(path, files)), passed].flatMap((secret) =>
        secret === undefined ? [] : [hashSecret(secret)],
      ),
  };
};
