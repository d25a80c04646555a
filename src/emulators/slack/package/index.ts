/** What the package exports. */

export type { Actor } from '../acting/actor.ts';
export { startWorkspace } from '../start-workspace.ts';
export type { Workspace } from '../workspace.ts';
export type { OptionsState, WorkspaceOptions } from '../workspace-options.ts';
