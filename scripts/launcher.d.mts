export const agentVariables: readonly string[];
export const becomeLauncher: (variables?: NodeJS.ProcessEnv) => void;
