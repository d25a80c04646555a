import type { AppManifest } from '../app-manifest.ts';
import type { Channel, Person } from '../protocol.ts';
import { makeId } from './ids.ts';
import type { SavedState } from './saved-state.ts';

/** The id of the first app in all workspaces. */
const FIRST_APP_ID = 'A01UPNEXTA';

export const buildDomain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export function buildBotUser({ botName }: AppManifest, id: string): Person {
  return {
    ...{ id, name: buildDomain(botName), realName: botName, role: 'member', isBot: true },
    ...{ tz: 'America/Los_Angeles', locale: 'en-US', color: '#d9a21b' },
  };
}

/** The parts that are empty at first. */
function buildEmptyParts() {
  return {
    version: 1 as const,
    ...{ messages: {}, modals: {}, homes: {}, files: {}, emoji: {} },
    ...{ responseUrls: [], scheduled: [], userGroups: [], chats: [], stepRuns: [] },
  };
}

/** Creates another workspace, where the app isn't installed yet. `now` in ms since the epoch. */
export function createTeam(
  about: { name: string; people: Person[]; channels: Channel[]; organisation?: string },
  now: number,
): SavedState {
  const { people, channels, ...team } = about;
  return {
    ...buildEmptyParts(),
    team: { id: makeId('T'), domain: buildDomain(team.name), ...team },
    app: { id: FIRST_APP_ID, botId: makeId('B'), botUserId: makeId('U'), absent: true },
    ...{ people, channels },
    lastTs: `${Math.floor(now / 1000)}.000000`,
  };
}

function samplePerson(
  id: string,
  realName: string,
  role: Person['role'],
  tz: string,
  locale: string,
  color: string,
  more: Partial<Person> = {},
): Person {
  const [firstName = ''] = realName.toLowerCase().split(' ');
  return { id, name: firstName, realName, tz, locale, role, isBot: false, color, ...more };
}

const ABOUT_ANA = { phone: '+351 555 0101', title: 'Owner' };
const ROASTERY = { id: 'T02ROASTER', name: 'Roastery North' };

const PEOPLE: readonly Person[] = [
  samplePerson('U01ANAFERR', 'Ana Ferreira', 'owner', 'Europe/Lisbon', 'en-GB', '#b4552d', ABOUT_ANA),
  samplePerson('U02BENOKAF', 'Ben Okafor', 'member', 'America/New_York', 'en-US', '#2d6ab4'),
  samplePerson('U03MIRAVOS', 'Mira Vos', 'admin', 'Europe/Berlin', 'de-DE', '#2d8a5f'),
  samplePerson('U04TOMSATO', 'Tom Sato', 'guest', 'Asia/Tokyo', 'ja-JP', '#7a4fb0'),
  samplePerson('U05PRIYANA', 'Priya Nair', 'member', 'Asia/Kolkata', 'en-IN', '#a83a6b', { from: ROASTERY }),
  samplePerson('U06LENAHOF', 'Lena Hofer', 'member', 'Europe/Vienna', 'de-AT', '#6b7280', {
    deactivated: true,
  }),
];

const BOT_USER = 'U09UPNEXTB';
const EVERYBODY = PEOPLE.filter((person) => !person.from && !person.deactivated).map((person) => person.id);
const WITH_APP = [...EVERYBODY, BOT_USER];
const BOTH_TEAMS = ['U01ANAFERR', 'U02BENOKAF', 'U05PRIYANA', BOT_USER];
const SUMMER_CREW = ['U01ANAFERR', 'U02BENOKAF', BOT_USER];

function sampleChannel(id: string, name: string, topic: string, members: readonly string[]): Channel {
  return { id, name, kind: 'public', topic, members: [...members] };
}

const createSampleChannels = (): Channel[] => [
  sampleChannel('C01GENERAL', 'general', 'News for everybody', WITH_APP),
  sampleChannel('C02HARBOUR', 'harbour-coffee', 'Posts of the coffee bar at the harbour', WITH_APP),
  sampleChannel('C03NIGHTMK', 'night-market-books', 'Posts of the book stall on the night market', WITH_APP),
  sampleChannel('C04RANDOM0', 'random', 'The app is not in this channel', EVERYBODY),
  {
    ...sampleChannel('C05ROASTER', 'roastery-north', 'Shared with the people of Roastery North', BOTH_TEAMS),
    shared: true,
  },
  { ...sampleChannel('C06SUMMER0', 'summer-pop-up', 'Closed since September', SUMMER_CREW), archived: true },
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
  const messages = FIRST_MESSAGES.map((message, index) => ({ ...message, ts: `${second}.00000${index}` }));
  return {
    ...buildEmptyParts(),
    team: { id: 'T01HARBOUR', name: 'Harbour Coffee', domain: 'harbour-coffee' },
    app: { id: FIRST_APP_ID, botId: 'B01UPNEXTB', botUserId: BOT_USER },
    people: structuredClone([...PEOPLE, buildBotUser(manifest, BOT_USER)]),
    channels: createSampleChannels(),
    messages: Object.fromEntries(messages.map((message) => [message.channel, [message]])),
    lastTs: `${second}.000009`,
  };
}
