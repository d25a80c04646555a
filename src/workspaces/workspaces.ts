/** Installed workspaces and their connections to services. The module's public face. */

export { claimWelcome, createWorkspaces } from './create-workspaces.ts';
export type { Credential } from './credentials.ts';
export { deleteAllWorkspaceData } from './retention.ts';
export type { ServiceAddressRules, Services } from './services.ts';
export type { SlackClients } from './slack-clients.ts';
export { type EndDeliveries, forgetInstallation, forgetWorkspace } from './sql/forget-workspace.ts';
export { restartRetention } from './sql/uninstalled-workspaces.ts';
export type { WorkspaceTables } from './tables.ts';
export type { Uninstallations } from './uninstallations.ts';
export {
  type BotAccess,
  createFirstOwnerLookup,
  createRequestBotLookup,
  renderNotInstalledText,
  type WorkspaceDirectory,
  withInstallPages,
} from './workspace-directory.ts';
