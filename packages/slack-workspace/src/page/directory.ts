import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Channel, PageApp, Person, Snapshot } from '../protocol.ts';
import type { Reader } from './time.ts';

export const DirectoryContext = createContext<Directory | undefined>(undefined);

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (directory === undefined) throw new Error('There is no directory around this component.');
  return directory;
}

/** The people and channels that texts can mention, the apps, and the reader whose zone and locale format dates. */
export interface Directory {
  people: ReadonlyMap<string, Person>;
  channels: ReadonlyMap<string, Channel>;
  me: Person;
  reader: Reader;
  /** The first app. */
  app: PageApp;
  /** All installed apps, including the first. */
  apps: readonly PageApp[];
  /** Name of the workspace. */
  team: string;
  /** The time of the workspace's clock, ms since the epoch. */
  now: () => number;
}

/** `clockOffsetMs` is the lead of the workspace's clock over this computer's. */
export function createDirectory(
  { people, channels, me, apps: [app, ...otherApps], team }: Snapshot,
  clockOffsetMs: number,
): Directory {
  return {
    people: new Map(people.map((person) => [person.id, person])),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    me,
    // The page is in English for everybody, with the date and time formats of the person's country.
    reader: { zone: me.tz, locale: `en-${new Intl.Locale(me.locale).region ?? 'US'}` },
    app,
    apps: [app, ...otherApps.filter(({ botUserId }) => isActive(people, botUserId))],
    team: team.name,
    now: () => Date.now() + clockOffsetMs,
  };
}

/** Whether an app is installed. Otherwise its user is missing or deactivated. */
const isActive = (people: readonly Person[], id: string) =>
  people.some((person) => person.id === id && person.deactivated !== true);

/** The other person in a direct message. */
export function findPartner(channel: Channel, { people, me }: Directory): Person | undefined {
  return people.get(channel.members.find((id) => id !== me.id) ?? me.id);
}

/** The app whose direct message this is. */
export function findApp(channel: Channel | undefined, { apps }: Directory) {
  if (channel?.kind !== 'im') return undefined;
  return apps.find(({ botUserId }) => channel.members.includes(botUserId));
}

/** `#general`, or the other person's name. */
export function getChannelTitle(channel: Channel | undefined, directory: Directory) {
  if (channel === undefined) return '';
  if (channel.kind === 'im') return findPartner(channel, directory)?.realName ?? channel.name;
  if (channel.kind === 'mpim') return getGroupTitle(channel, directory);
  return `#${channel.name}`;
}

/** The other people of a group direct message. */
function getGroupTitle({ members }: Channel, { people, me }: Directory) {
  return members
    .filter((id) => id !== me.id)
    .map((id) => people.get(id)?.realName ?? id)
    .join(', ');
}
