import type { AppManifest } from '../app-manifest.ts';
import type { Channel, Person } from '../protocol.ts';
import { makeId } from './ids.ts';
import type { SavedState } from './saved-state.ts';

/** The id of the first app in all workspaces. */
export const FIRST_APP_ID = 'A01UPNEXTA';

/** Creates the app's bot user with this user id. */
export function buildBotUser(manifest: AppManifest, id: string): Person {
  return {
    id,
    name: manifest.botName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    realName: manifest.botName,
    tz: 'America/Los_Angeles',
    locale: 'en-US',
    role: 'member',
    isBot: true,
    color: '#d9a21b',
  };
}

/** Creates another workspace, where the app isn't installed yet. `now` in ms since the epoch. */
export function createTeam(
  about: { name: string; people: readonly Person[]; channels: readonly Channel[]; organisation?: string },
  now: number,
): SavedState {
  const { name, people, channels, organisation } = about;
  return {
    version: 1,
    team: {
      id: makeId('T'),
      name,
      domain: buildDomain(name),
      ...(organisation === undefined ? {} : { organisation }),
    },
    app: { id: FIRST_APP_ID, botId: makeId('B'), botUserId: makeId('U'), absent: true },
    people: [...people],
    channels: [...channels],
    messages: {},
    modals: {},
    homes: {},
    responseUrls: [],
    files: {},
    scheduled: [],
    userGroups: [],
    chats: [],
    stepRuns: [],
    emoji: {},
    lastTs: `${Math.floor(now / 1000)}.000000`,
  };
}

/** The subdomain of a workspace or organisation with this name. */
export function buildDomain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
