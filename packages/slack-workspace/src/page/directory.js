/**
 * The people and channels that texts can mention, the apps, and the reader whose zone and locale format dates.
 * @import { Channel, Person } from '../protocol.ts'
 * @import { PageApp } from '../page-app.ts'
 * @typedef {object} Directory
 * @property {ReadonlyMap<string, Person>} people
 * @property {ReadonlyMap<string, Channel>} channels
 * @property {Person} me
 * @property {import('./time.js').Reader} reader
 * @property {PageApp} app the first app
 * @property {readonly PageApp[]} apps all installed apps, including the first
 * @property {string} team name of the workspace
 * @property {() => number} now the time of the workspace's clock, ms since the epoch
 */

/**
 * @param {NonNullable<import('./state.js').PageState['workspace']>} workspace
 * @param {number} clockOffsetMs ms by which the workspace's clock is ahead of this computer's
 * @returns {Directory}
 */
export function createDirectory({ people, channels, me, app, otherApps = [], team }, clockOffsetMs) {
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

/**
 * Whether an app is installed. Otherwise its user is missing or deactivated.
 * @param {readonly Person[]} people
 * @param {string} id
 */
const isActive = (people, id) => people.some((person) => person.id === id && person.deactivated !== true);

/**
 * The other person in a direct message.
 * @param {Channel} channel
 * @param {Directory} directory
 * @returns {Person | undefined}
 */
export function findPartner(channel, { people, me }) {
  return people.get(channel.members.find((id) => id !== me.id) ?? me.id);
}

/**
 * The app whose direct message this is.
 * @param {Channel | undefined} channel
 * @param {Directory} directory
 */
export function findApp(channel, { apps }) {
  if (channel?.kind !== 'im') return undefined;
  return apps.find(({ botUserId }) => channel.members.includes(botUserId));
}

/**
 * `#general`, or the other person's name.
 * @param {Channel | undefined} channel
 * @param {Directory} directory
 */
export function getChannelTitle(channel, directory) {
  if (channel === undefined) return '';
  if (channel.kind === 'im') return findPartner(channel, directory)?.realName ?? channel.name;
  if (channel.kind === 'mpim') return getGroupTitle(channel, directory);
  return `#${channel.name}`;
}

/**
 * The other people of a group direct message.
 * @param {Channel} channel
 * @param {Directory} directory
 */
function getGroupTitle({ members }, { people, me }) {
  return members
    .filter((id) => id !== me.id)
    .map((id) => people.get(id)?.realName ?? id)
    .join(', ');
}
