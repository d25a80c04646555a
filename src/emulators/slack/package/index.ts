/** What the package exports. */

export type { Actor } from '../acting/actor.ts';
export { startWorkspace, type Workspace } from '../start-workspace.ts';
export type { OptionsState, WorkspaceOptions } from '../workspace-options.ts';
