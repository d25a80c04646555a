import type { AppManifest } from '../app-manifest.ts';
import type { Channel, Person } from '../protocol.ts';
import { makeId } from './ids.ts';
import type { SavedState } from './saved-state.ts';

/** The id of the first app in all workspaces. */
const FIRST_APP_ID = 'A01UPNEXTA';

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

export function buildDomain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

const PEOPLE: Person[] = [
  {
    id: 'U01ANAFERR',
    name: 'ana',
    realName: 'Ana Ferreira',
    tz: 'Europe/Lisbon',
    locale: 'en-GB',
    role: 'owner',
    isBot: false,
    color: '#b4552d',
    phone: '+351 555 0101',
    title: 'Owner',
  },
  {
    id: 'U02BENOKAF',
    name: 'ben',
    realName: 'Ben Okafor',
    tz: 'America/New_York',
    locale: 'en-US',
    role: 'member',
    isBot: false,
    color: '#2d6ab4',
  },
  {
    id: 'U03MIRAVOS',
    name: 'mira',
    realName: 'Mira Vos',
    tz: 'Europe/Berlin',
    locale: 'de-DE',
    role: 'admin',
    isBot: false,
    color: '#2d8a5f',
  },
  {
    id: 'U04TOMSATO',
    name: 'tom',
    realName: 'Tom Sato',
    tz: 'Asia/Tokyo',
    locale: 'ja-JP',
    role: 'guest',
    isBot: false,
    color: '#7a4fb0',
  },
  {
    id: 'U05PRIYANA',
    name: 'priya',
    realName: 'Priya Nair',
    tz: 'Asia/Kolkata',
    locale: 'en-IN',
    role: 'member',
    isBot: false,
    color: '#a83a6b',
    from: { id: 'T02ROASTER', name: 'Roastery North' },
  },
  {
    id: 'U06LENAHOF',
    name: 'lena',
    realName: 'Lena Hofer',
    tz: 'Europe/Vienna',
    locale: 'de-AT',
    role: 'member',
    isBot: false,
    color: '#6b7280',
    deactivated: true,
  },
];

const BOT_USER = 'U09UPNEXTB';
const EVERYBODY = PEOPLE.filter((person) => !person.from && !person.deactivated).map((person) => person.id);

const CHANNELS: Channel[] = [
  {
    id: 'C01GENERAL',
    name: 'general',
    kind: 'public',
    topic: 'News for everybody',
    members: [...EVERYBODY, BOT_USER],
  },
  {
    id: 'C02HARBOUR',
    name: 'harbour-coffee',
    kind: 'public',
    topic: 'Posts of the coffee bar at the harbour',
    members: [...EVERYBODY, BOT_USER],
  },
  {
    id: 'C03NIGHTMK',
    name: 'night-market-books',
    kind: 'public',
    topic: 'Posts of the book stall on the night market',
    members: [...EVERYBODY, BOT_USER],
  },
  {
    id: 'C04RANDOM0',
    name: 'random',
    kind: 'public',
    topic: 'The app is not in this channel',
    members: EVERYBODY,
  },
  {
    id: 'C05ROASTER',
    name: 'roastery-north',
    kind: 'public',
    topic: 'Shared with the people of Roastery North',
    members: ['U01ANAFERR', 'U02BENOKAF', 'U05PRIYANA', BOT_USER],
    shared: true,
  },
  {
    id: 'C06SUMMER0',
    name: 'summer-pop-up',
    kind: 'public',
    topic: 'Closed since September',
    members: ['U01ANAFERR', 'U02BENOKAF', BOT_USER],
    archived: true,
  },
];

const FIRST_MESSAGES = [
  { channel: 'C01GENERAL', user: 'U01ANAFERR', text: 'Good morning! The spring menu is on the shelf.' },
  { channel: 'C02HARBOUR', user: 'U02BENOKAF', text: 'Who writes the post about the new roast?' },
  { channel: 'C03NIGHTMK', user: 'U03MIRAVOS', text: 'The market opens on Friday at six.' },
  { channel: 'C04RANDOM0', user: 'U04TOMSATO', text: 'Someone left an umbrella at the bar.' },
  { channel: 'C05ROASTER', user: 'U05PRIYANA', text: 'The new beans leave here on Thursday.' },
  { channel: 'C06SUMMER0', user: 'U06LENAHOF', text: 'That was our last evening. Thank you all!' },
];

/** Updates the bot user of a stored state, because the workspace may be started with another app's manifest. */
export function withBotUser(state: SavedState, manifest: AppManifest): SavedState {
  const people = state.people.map((person) =>
    person.id === state.app.botUserId ? { ...person, ...buildBotUser(manifest, person.id) } : person,
  );
  return { ...state, people };
}

/** Creates a workspace with people, channels and the app's bot user. `now` in ms since the epoch. */
export function createSampleTeam(manifest: AppManifest, now: number): SavedState {
  const second = Math.floor(now / 1000) - 3600;
  const messages: SavedState['messages'] = {};
  FIRST_MESSAGES.forEach((message, index) => {
    messages[message.channel] = [{ ...message, ts: `${second}.00000${index}` }];
  });
  return {
    version: 1,
    team: { id: 'T01HARBOUR', name: 'Harbour Coffee', domain: 'harbour-coffee' },
    app: { id: FIRST_APP_ID, botId: 'B01UPNEXTB', botUserId: BOT_USER },
    people: structuredClone([...PEOPLE, buildBotUser(manifest, BOT_USER)]),
    channels: structuredClone(CHANNELS),
    messages,
    modals: {},
    homes: {},
    responseUrls: [],
    files: {},
    scheduled: [],
    userGroups: [],
    emoji: {},
    chats: [],
    stepRuns: [],
    lastTs: `${second}.000009`,
  };
}
