import type { Json } from '../json.ts';
import type { Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { personById } from '../state/directory.ts';
import { flagArg, type Method, neededArg, paged, textArg } from './call.ts';

/** Seconds east of UTC in this zone at this moment. */
function offsetSeconds(tz: string, now: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' }).formatToParts(
    now,
  );
  const offset = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function zoneLabel(tz: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'long' }).formatToParts(now);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? tz;
}

function profileOf(site: Site, person: Person, team: string): Json {
  return {
    title: '',
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.name,
    display_name_normalized: person.name,
    status_text: '',
    status_emoji: '',
    first_name: person.realName.split(' ')[0] ?? '',
    last_name: person.realName.split(' ').slice(1).join(' '),
    team,
    ...(person.isBot ? { api_app_id: site.state.app.id, bot_id: site.state.app.botId } : {}),
  };
}

/** Of a deactivated account Slack tells little more than that it was. */
function deactivatedObject(person: Person, profile: Json, team: string): Json {
  return {
    id: person.id,
    team_id: team,
    name: person.name,
    deleted: true,
    profile,
    is_bot: person.isBot,
    is_app_user: false,
    updated: 1_700_000_000,
  };
}

/** They share no channel with the app. */
function isStranger(site: Site, person: Person): boolean {
  const { botUserId } = site.state.app;
  return !site.state.channels.some(
    ({ members }) => members.includes(person.id) && members.includes(botUserId),
  );
}

function userObject(site: Site, person: Person, locale: boolean): Json {
  const now = site.now();
  const team = person.from?.id ?? site.state.team.id;
  const profile = profileOf(site, person, team);
  if (person.deactivated === true) return deactivatedObject(person, profile, team);
  return {
    id: person.id,
    team_id: team,
    name: person.name,
    deleted: false,
    color: person.color.replace('#', ''),
    real_name: person.realName,
    tz: person.tz,
    tz_label: zoneLabel(person.tz, now),
    tz_offset: offsetSeconds(person.tz, now),
    profile,
    is_admin: person.role === 'admin' || person.role === 'owner',
    is_owner: person.role === 'owner',
    is_primary_owner: person.role === 'owner',
    is_restricted: person.role === 'guest',
    is_ultra_restricted: false,
    is_bot: person.isBot,
    is_app_user: false,
    updated: 1_700_000_000,
    is_email_confirmed: !person.isBot,
    ...(person.from ? { is_stranger: isStranger(site, person) } : {}),
    ...(locale ? { locale: person.locale } : {}),
  };
}

export const usersInfo: Method = (call) => {
  const person = personById(call.site, neededArg(call, 'user'));
  if (!person) throw new Refusal('user_not_found');
  return { user: userObject(call.site, person, flagArg(call, 'include_locale')) };
};

export const usersList: Method = (call) => {
  const { page, next } = paged(call, call.site.state.people);
  const locale = flagArg(call, 'include_locale');
  return {
    members: page.map((person) => userObject(call.site, person, locale)),
    cache_ts: Math.floor(call.site.now() / 1000),
    ...next,
  };
};

export const botsInfo: Method = (call) => {
  const { app } = call.site.state;
  if ((textArg(call, 'bot') ?? app.botId) !== app.botId) throw new Refusal('bot_not_found');
  return {
    bot: {
      id: app.botId,
      deleted: false,
      name: call.site.facts.botName,
      updated: 1_700_000_000,
      app_id: app.id,
      user_id: app.botUserId,
      icons: {},
    },
  };
};
