import type { Site } from '../site.ts';
import type { Organisation } from './saved-slack.ts';

/** The organisation that a workspace belongs to. */
export function organisationOf(site: Site): Organisation | undefined {
  return site.slack.organisations.find(({ id }) => id === site.state.team.organisation);
}

/** By whose installation the app is here: the workspace's own (`T…`), or its organisation's (`E…`). */
export function holderOf(site: Site): string {
  return site.state.app.organisation ?? site.state.team.id;
}

/** The app is here because its whole organisation has it. */
export function isOrgWide(site: Site): boolean {
  return site.state.app.organisation !== undefined;
}

/** The workspaces that one installation reaches. */
export function sitesOf(holder: string, sites: readonly Site[]): Site[] {
  return sites.filter((site) => holderOf(site) === holder && site.state.app.absent !== true);
}
