/** Installed workspaces and their connections to services. Everything outside imports this file alone. */

export { createWorkspaces } from './create-workspaces.ts';
export type { Credential } from './credentials.ts';
export type { Departures } from './departures.ts';
export {
  authorizeBy,
  firstOwners,
  lookupReferenceIn,
  notInstalledText,
  type Presence,
  withPages,
} from './presence.ts';
export { deleteEverything } from './retention.ts';
export type { ServiceAccess } from './service-addresses.ts';
export type { Services } from './services.ts';
export { forgetInstallation, forgetWorkspace } from './sql/forget-workspace.ts';
export { keepLeftFromNow } from './sql/left-workspaces.ts';
