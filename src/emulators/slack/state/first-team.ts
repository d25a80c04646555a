import type { AppManifest } from '../app-manifest.ts';
import { createSampleTeam } from './sample-team.ts';
import type { Grant, SavedSlack } from './saved-slack.ts';
import type { SavedState } from './saved-state.ts';

interface FirstStart {
  manifest: AppManifest;
  /** The app is there from the start. */
  installed: boolean;
  /** Its token then, with whatever its manifest asks for. */
  botToken: string;
  /** Optional scopes that were left out. */
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

/** The first workspace on its first day. `now` in ms. */
function createFirstTeam(start: FirstStart, now: number): { team: SavedState; grants: Grant[] } {
  const team = createSampleTeam(start.manifest, now);
  if (!start.installed) return { team: withoutApp(team), grants: [] };
  return { team, grants: [createFirstGrant(team, start)] };
}

/** The token that the app has in the first workspace without anybody having allowed it. */
function createFirstGrant(
  { team, app }: SavedState,
  { botToken: token, manifest, declinedScopes }: FirstStart,
): Grant {
  const { ended, botUserId: user } = app;
  const required = declinedScopes.find((scope) => !manifest.optionalScopes.includes(scope));
  if (required !== undefined) throw new Error(`${required} is not optional in the manifest`);
  const scopes = manifest.scopes?.filter((scope) => !declinedScopes.includes(scope));
  return {
    ...{ token, kind: 'bot' as const, holder: team.id, user },
    ...(declinedScopes.length > 0 && scopes ? { scopes } : {}),
    ...(ended ? { ended } : {}),
  };
}

/** A practice Slack on its first day. */
export function createFirstState(start: FirstStart, now: number): SavedSlack {
  const { team, grants } = createFirstTeam(start, now);
  return { version: 2, teams: [team], organisations: [], grants, clockOffset: 0 };
}
