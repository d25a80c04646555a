import type { Json } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser, findOrganisation } from './apps.ts';
import { buildAvatarPart } from './avatar.ts';
import { findPerson, isGuest } from './directory.ts';
import { hasAnyScope } from './grants.ts';

/** Formatters by zone and style. Creating one takes 50 µs, and most responses contain people. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formats the name or the offset of the zone at this time. Undefined if Intl doesn't know it. */
function formatZone(timeZone: string, timeZoneName: 'long' | 'longOffset', now: number): string | undefined {
  const key = `${timeZone.toLowerCase()} ${timeZoneName}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName });
  formatters.set(key, formatter);
  return formatter.formatToParts(now).find((part) => part.type === 'timeZoneName')?.value;
}

/** Seconds east of UTC in this zone at this time. */
function getOffsetSeconds(tz: string, now: number): number {
  const offset = formatZone(tz, 'longOffset', now) ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Bots and Slackbot have no e-mail address. */
export function getEmail(person: Person): string | undefined {
  return person.isBot || person === SLACKBOT ? undefined : (person.email ?? `${person.name}@example.com`);
}

/** The keys are those of slackapi/java-slack-sdk, json-logs/samples/api/users.info.json. */
export function buildProfileObject(site: Site, person: Person): Json {
  const team = person.from?.id ?? site.state.team.id;
  const email = getEmail(person);
  const { app } = (findAppByUser(site, person.id) ?? site).state;
  return {
    title: person.title ?? '',
    phone: person.phone ?? '',
    skype: '',
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.realName,
    display_name_normalized: person.realName,
    status_text: '',
    status_emoji: '',
    status_emoji_display_info: [],
    status_expiration: 0,
    status_text_canonical: '',
    ...buildAvatarPart(site, person),
    first_name: person.realName.split(' ')[0] ?? '',
    last_name: person.realName.split(' ').slice(1).join(' '),
    team,
    // E-mail addresses need this scope (docs.slack.dev/reference/scopes/users.read.email).
    ...(email !== undefined && hasAnyScope(site, ['users:read.email']) ? { email } : {}),
    ...(person.isBot ? { api_app_id: app.id, bot_id: app.botId, always_active: false } : {}),
  };
}

function isStranger(site: Site, person: Person): boolean {
  const { botUserId } = site.state.app;
  return !site.state.channels.some(
    ({ members }) => members.includes(person.id) && members.includes(botUserId),
  );
}

/** A person of an organisation has the same id in all its workspaces. */
function buildEnterpriseUserPart(site: Site, person: Person): Json {
  const organisation = findOrganisation(site);
  if (!organisation || person.from) return {};
  const sites = site.slack.sites.filter(({ state }) => state.team.organisation === organisation.id);
  return {
    enterprise_user: {
      id: person.id,
      enterprise_id: organisation.id,
      enterprise_name: organisation.name,
      is_admin: person.role === 'admin' || person.role === 'owner',
      is_owner: person.role === 'owner',
      teams: sites.filter((each) => findPerson(each, person.id)).map(({ state }) => state.team.id),
    },
  };
}

/** Slackbot is in each workspace. Slack doesn't call it a bot (slackapi/bolt-js #794). */
export const SLACKBOT: Person = {
  id: 'USLACKBOT',
  name: 'slackbot',
  realName: 'Slackbot',
  tz: 'America/Los_Angeles',
  locale: 'en-US',
  role: 'member',
  isBot: false,
  color: '#757575',
};

/** A person in Slack's own shape. `includesLocale` adds their locale, which methods return on request only. */
export function buildUserObject(site: Site, person: Person, includesLocale: boolean): Json {
  const now = site.now();
  const common = {
    id: person.id,
    team_id: person.from?.id ?? site.state.team.id,
    name: person.name,
    deleted: person.deactivated === true,
    profile: buildProfileObject(site, person),
    is_bot: person.isBot,
    is_app_user: false,
    updated: 1_700_000_000,
  };
  // Slack returns only a few fields of a deactivated account.
  if (common.deleted) return common;
  return {
    ...common,
    color: person.color.replace('#', ''),
    real_name: person.realName,
    tz: person.tz,
    tz_label: formatZone(person.tz, 'long', now) ?? person.tz,
    tz_offset: getOffsetSeconds(person.tz, now),
    is_admin: person.role === 'admin' || person.role === 'owner',
    is_owner: person.role === 'owner',
    is_primary_owner: site.state.people.find(({ role }) => role === 'owner')?.id === person.id,
    is_restricted: isGuest(person),
    is_ultra_restricted: person.role === 'single-channel-guest',
    is_email_confirmed: getEmail(person) !== undefined,
    who_can_share_contact_card: 'EVERYONE',
    ...buildEnterpriseUserPart(site, person),
    ...(person.from ? { is_stranger: isStranger(site, person) } : {}),
    ...(includesLocale ? { locale: person.locale } : {}),
  };
}
