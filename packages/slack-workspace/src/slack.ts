/** The public file of the workspace. Other modules import only this file: types statically, the rest dynamically. */

export { ActingError } from './acting/acting-error.ts';
export type { Actor } from './acting/actor.ts';
export type { Chat } from './acting/chat.ts';
export type { Form, HomeTab } from './acting/form.ts';
export type { Team } from './acting/team.ts';
export { type ExternalSwitch, externalSwitch } from './faults/fault-switches.ts';
export type { SlackFaultPlan } from './faults/slack-faults.ts';
export { EVENT_RULES } from './rules/event-rules.ts';
export { findBlockProblems, findOptionsProblems, validateView } from './rules/find-problems.ts';
export { findManifestGaps } from './rules/manifest-gaps.ts';
export { findManifestProblems } from './rules/manifest-rules.ts';
export { SLACK_LIMITS } from './rules/slack-limits.ts';
export { startWorkspace } from './start-workspace.ts';
export { METHODS } from './web-api/methods.ts';
export type { Workspace } from './workspace.ts';
export { OPTIONS_STATES, type OptionsState, type WorkspaceOptions } from './workspace-options.ts';

/** Loads the parts of commands that run a workspace. They are loaded separately, because they load a YAML parser. */
export const loadCommand = () => import('./command/command.ts');
