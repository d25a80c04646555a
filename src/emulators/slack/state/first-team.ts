import type { AppManifest } from '../app-manifest.ts';
import { createSampleTeam } from './sample-team.ts';
import type { Grant, SavedSlack } from './saved-slack.ts';
import type { SavedState } from './saved-state.ts';

interface FirstStart {
  manifest: AppManifest;
  /** Whether the app is installed from the start. */
  installed: boolean;
  /** The app's bot token if it is installed. It has all scopes of the manifest, except the declined ones. */
  botToken: string;
  /** Optional scopes of the manifest that the app doesn't get. */
  declinedScopes: readonly string[];
}

function withoutApp(team: SavedState): SavedState {
  const { botUserId } = team.app;
  const channels = team.channels.map((channel) => ({
    ...channel,
    members: channel.members.filter((member) => member !== botUserId),
  }));
  const people = team.people.filter(({ id }) => id !== botUserId);
  return { ...team, people, channels, app: { ...team.app, absent: true } };
}

/** The first workspace at its first start. `now` in ms since the epoch. */
function createFirstTeam(start: FirstStart, now: number): { team: SavedState; grants: Grant[] } {
  const team = createSampleTeam(start.manifest, now);
  if (!start.installed) return { team: withoutApp(team), grants: [] };
  return { team, grants: [createFirstGrant(team, start)] };
}

/** The app's bot token in the first workspace, where the app is installed without OAuth. */
function createFirstGrant(
  { team, app }: SavedState,
  { botToken: token, manifest, declinedScopes }: FirstStart,
): Grant {
  const { ended, botUserId: user } = app;
  const required = declinedScopes.find((scope) => !manifest.optionalScopes.includes(scope));
  if (required !== undefined) throw new Error(`${required} isn't optional in the manifest`);
  const scopes = manifest.scopes?.filter((scope) => !declinedScopes.includes(scope));
  return {
    ...{ token, kind: 'bot' as const, holder: team.id, user },
    ...(declinedScopes.length > 0 && scopes ? { scopes } : {}),
    ...(ended ? { ended } : {}),
  };
}

/** Creates the state of a first start. Throws if a declined scope isn't optional. `now` in ms since the epoch. */
export function createFirstState(start: FirstStart, now: number): SavedSlack {
  const { team, grants } = createFirstTeam(start, now);
  return { version: 2, teams: [team], organisations: [], grants, clockOffset: 0 };
}
