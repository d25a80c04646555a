/** The public file of the emulator. Other modules import only this file: types statically, the rest dynamically. */

export { type ExternalSwitch, externalSwitch } from './faults/external-switch.ts';
export type { SlackFaultPlan } from './faults/slack-fault-plan.ts';
export { startWorkspace } from './start-workspace.ts';
export type { Workspace } from './workspace.ts';
export { OPTIONS_STATES, type OptionsState, type WorkspaceOptions } from './workspace-options.ts';

/** Loads the parts of commands that run a workspace. They are loaded separately, because they load a YAML parser. */
export const loadCommand = () => import('./command/command.ts');
