import type { StepFunction } from '../app-manifest.ts';
import type { CommandEntry, ShortcutEntry } from '../protocol.ts';
import type { Site, Slack } from '../site.ts';
import { findPerson } from './directory.ts';
import type { Organisation, StoredView } from './saved-state.ts';

/** Calls a function for each app of a workspace, with the workspace as that app sees it. */
export function forEachApp(site: Site, run: (app: Site) => void): void {
  for (const app of site.apps) run(app);
}

export function findAppByUser(site: Site, userId: string): Site | undefined {
  return site.apps.find(({ state }) => state.app.botUserId === userId);
}

/** Finds an app in another workspace. */
export function findAppIn({ apps }: Site, appId: string): Site | undefined {
  return apps.find(({ state }) => state.app.id === appId);
}

/** Finds the app with this client id, in the first workspace. */
export function findAppOfClient({ sites }: Slack, clientId: unknown): Site | undefined {
  return sites[0]?.apps.find((app) => app.clientId === clientId);
}

/** Whether this app opened the view. Views that earlier versions stored name no app, and belong to the first one. */
export function isOwnView(site: Site, { app }: StoredView): boolean {
  return app === undefined ? site.apps[0] === site : app === site.state.app.id;
}

/** Finds the organisation of a workspace (Enterprise Grid). */
export function findOrganisation(site: Site): Organisation | undefined {
  return site.slack.organisations.find(({ id }) => id === site.state.team.organisation);
}

/**
 * The holder of the app's tokens: the workspace (`T…`) or organisation (`E…`) that installed the app. An app other than
 * the first one has its own (`T…/A…`).
 */
export function getHolder(site: Site): string {
  const { organisation, holder } = site.state.app;
  return organisation ?? holder ?? site.state.team.id;
}

/** The workspace of a holder: `T…` of `T…/A…`. */
export const getTeamOfHolder = (holder: string): string => holder.replace(/\/.*/, '');

/** Whether the app was installed for the whole organisation of this workspace. */
export const isOrgWide = (site: Site): boolean => site.state.app.organisation !== undefined;

/** Finds the workspaces where an installation is valid. */
export function findSitesOfHolder(holder: string, sites: readonly Site[]): Site[] {
  return sites
    .flatMap(({ apps }) => apps)
    .filter((site) => getHolder(site) === holder && site.state.app.absent !== true);
}

/** Finds the workspaces where the installation of an app in this workspace is valid. */
export const findSitesOfApp = (site: Site): Site[] => findSitesOfHolder(getHolder(site), site.slack.sites);

/** Only members of a workspace where the app is installed can use it, not people of a connected workspace. */
function canUseApp(site: Site, person: string): boolean {
  return site.state.app.absent !== true && !findPerson(site, person)?.from;
}

/** People of other workspaces have no commands, but can press buttons in shared channels. */
export function listCommands(site: Site, person: string): readonly CommandEntry[] {
  return canUseApp(site, person) ? site.manifest.commands : [];
}

/** The app's shortcuts for this person. People of other workspaces have none. */
export function listShortcuts(site: Site, person: string): readonly ShortcutEntry[] {
  return canUseApp(site, person) ? site.manifest.shortcuts : [];
}

/** The steps of the app for workflows. An app that isn't installed has none. */
export function listSteps({ state, manifest }: Site): readonly StepFunction[] {
  return state.app.absent === true ? [] : manifest.functions;
}
