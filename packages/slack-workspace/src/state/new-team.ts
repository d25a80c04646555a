import type { Channel, Person } from '../protocol.ts';
import { FIRST_APP_ID } from './bot-user.ts';
import { makeId } from './ids.ts';
import type { SavedState } from './saved-state.ts';

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
