/** The exports of the package. */

export { ActingError } from '../acting/acting-error.ts';
export type { Actor } from '../acting/actor.ts';
export type { Chat } from '../acting/chat.ts';
export type { Form } from '../acting/form.ts';
export type { HomeTab } from '../acting/home-tab.ts';
export { startWorkspace } from '../start-workspace.ts';
export type { Workspace } from '../workspace.ts';
export type { OptionsState, WorkspaceOptions } from '../workspace-options.ts';
