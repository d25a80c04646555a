/** The common parts of the commands that start a workspace. */

export { COMMAND_OPTIONS, OPTIONS_USAGE, readCommandOptions } from './command-options.ts';
export { CommandProblem, UsageProblem } from './command-problem.ts';
export { describeWorkspace } from './describe-workspace.ts';
export { findManifest } from './read-manifest-file.ts';
export { startFromManifest } from './start-from-manifest.ts';
