import type { Site } from '../site.ts';
import type { Organisation } from './saved-slack.ts';

/** The organisation that a workspace belongs to. */
export function findOrganisation(site: Site): Organisation | undefined {
  return site.slack.organisations.find(({ id }) => id === site.state.team.organisation);
}

/** The workspace (`T…`) or organisation (`E…`) that installed the app. Further apps have their own (`T…/A…`). */
export function getHolder(site: Site): string {
  const { organisation, holder } = site.state.app;
  return organisation ?? holder ?? site.state.team.id;
}

/** The app is here because its whole organisation has it. */
export function isOrgWide(site: Site): boolean {
  return site.state.app.organisation !== undefined;
}

/** The workspaces that one installation reaches. */
export function findSitesOfHolder(holder: string, sites: readonly Site[]): Site[] {
  return sites
    .flatMap(({ apps }) => apps)
    .filter((site) => getHolder(site) === holder && site.state.app.absent !== true);
}
