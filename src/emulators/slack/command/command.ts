/** What the commands that run a workspace share: their options, their start, and what they print. */

export { COMMAND_OPTIONS, OPTIONS_USAGE, readCommandOptions } from './command-options.ts';
export { CommandProblem, UsageProblem } from './command-problem.ts';
export { describeWorkspace } from './describe-workspace.ts';
export { findManifest } from './read-manifest.ts';
export { followSessionOptions } from './session-options.ts';
export { startFromManifest } from './start-from-manifest.ts';
