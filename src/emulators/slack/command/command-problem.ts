/** Why the workspace can't start, in a sentence for whoever ran the command. */
export class CommandProblem extends Error {}

/** A wrong option: the usage helps. */
export class UsageProblem extends CommandProblem {}
