import type { AppFacts } from '../app-facts.ts';
import type { Channel, Person } from '../protocol.ts';
import type { SavedState } from './saved-state.ts';

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
];

const BOT_USER = 'U09UPNEXTB';
const EVERYBODY = PEOPLE.map((person) => person.id);

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
];

const FIRST_MESSAGES = [
  { channel: 'C01GENERAL', user: 'U01ANAFERR', text: 'Good morning! The spring menu is on the shelf.' },
  { channel: 'C02HARBOUR', user: 'U02BENOKAF', text: 'Who writes the post about the new roast?' },
  { channel: 'C03NIGHTMK', user: 'U03MIRAVOS', text: 'The market opens on Friday at six.' },
  { channel: 'C04RANDOM0', user: 'U04TOMSATO', text: 'Someone left an umbrella at the bar.' },
];

/** A new workspace: a team, its people and channels, and the app's bot user. `now` in ms. */
export function sampleTeam(facts: AppFacts, now: number): SavedState {
  const bot: Person = {
    id: BOT_USER,
    name: facts.botName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    realName: facts.botName,
    tz: 'America/Los_Angeles',
    locale: 'en-US',
    role: 'member',
    isBot: true,
    color: '#d9a21b',
  };
  const second = Math.floor(now / 1000) - 3600;
  const messages: SavedState['messages'] = {};
  FIRST_MESSAGES.forEach((message, index) => {
    messages[message.channel] = [{ ...message, ts: `${second}.00000${index}` }];
  });
  return {
    version: 1,
    team: { id: 'T01HARBOUR', name: 'Harbour Coffee', domain: 'harbour-coffee' },
    app: { id: 'A01UPNEXTA', botId: 'B01UPNEXTB', botUserId: BOT_USER },
    people: structuredClone([...PEOPLE, bot]),
    channels: structuredClone(CHANNELS),
    messages,
    modals: {},
    homes: {},
    responseUrls: [],
    lastTs: `${second}.000009`,
  };
}
