/** The reason why the workspace can't start. The command prints its message. */
export class CommandProblem extends Error {}

/** An invalid option. The command also prints the usage. */
export class UsageProblem extends CommandProblem {}
