import type { Channel, Person } from '../protocol.ts';
import { APP } from './app-user.ts';
import { makeId } from './ids.ts';
import type { SavedState } from './saved-state.ts';

/** Another workspace, where the app is not installed yet. */
export function newTeam(
  about: { name: string; people: readonly Person[]; channels: readonly Channel[]; organisation?: string },
  now: number,
): SavedState {
  const { name, people, channels, organisation } = about;
  return {
    version: 1,
    team: {
      id: makeId('T'),
      name,
      domain: domainOf(name),
      ...(organisation === undefined ? {} : { organisation }),
    },
    app: { id: APP, botId: makeId('B'), botUserId: makeId('U'), absent: true },
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

/** As it stands in an address. */
export function domainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
