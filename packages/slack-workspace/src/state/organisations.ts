import type { Site } from '../site.ts';
import type { Organisation } from './saved-state.ts';

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
export function getTeamOfHolder(holder: string): string {
  return holder.replace(/\/.*/, '');
}

/** Whether the app was installed for the whole organisation of this workspace. */
export function isOrgWide(site: Site): boolean {
  return site.state.app.organisation !== undefined;
}

/** Finds the workspaces where an installation is valid. */
export function findSitesOfHolder(holder: string, sites: readonly Site[]): Site[] {
  return sites
    .flatMap(({ apps }) => apps)
    .filter((site) => getHolder(site) === holder && site.state.app.absent !== true);
}
