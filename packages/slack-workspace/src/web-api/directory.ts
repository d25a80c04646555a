import { listStandardEmoji } from '../emoji/standard-emoji.ts';
import { buildBotObject } from '../interactions/message-object.ts';
import { buildEnterprisePart } from '../interactions/payloads.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findOrganisation } from '../state/apps.ts';
import { findConnectedTeams } from '../state/channel-object.ts';
import { findPerson, listVisibleChannels } from '../state/directory.ts';
import { buildDomain } from '../state/new-team.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { buildProfileObject, buildUserObject, getEmail, SLACKBOT } from '../state/user-object.ts';
import { bot, type Call, type Methods } from './call.ts';
import { paginate } from './method-rules.ts';

const ICON_SIZES = [34, 44, 68, 88, 102, 132, 230].map((size) => `image_${size}`);

function buildConnectedTeamObject(site: Site, id: string): Json {
  const sharesChannel = listVisibleChannels(site, site.state.app.botUserId).some(
    (channel) => channel.shared === true && findConnectedTeams(site, channel).includes(id),
  );
  const name = sharesChannel ? findTeamName(site, id) : undefined;
  if (name === undefined) throw new Refusal('team_not_found');
  const domain = buildDomain(name);
  return { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '' };
}

/** Finds the name among the workspaces, the organisations and the people of other workspaces. */
function findTeamName(site: Site, id: string): string | undefined {
  const { sites, organisations } = site.slack;
  const team = sites.find(({ state }) => state.team.id === id)?.state.team;
  const organisation = organisations.find((each) => each.id === id);
  const person = site.state.people.find(({ from }) => from?.id === id);
  return (team ?? organisation ?? person?.from)?.name;
}

/** The app's view of a user group (docs.slack.dev/reference/objects/usergroup-object). */
function buildGroupObject(call: Call, group: UserGroup): Json {
  const { state } = call.site;
  const creator = state.people[0]?.id ?? '';
  const updatedSeconds = Math.floor(group.changedAt / 1000);
  return {
    id: group.id,
    team_id: state.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: Math.floor(group.madeAt / 1000),
    date_update: updatedSeconds,
    date_delete: group.disabled ? updatedSeconds : 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: creator,
    updated_by: creator,
    deleted_by: group.disabled ? creator : null,
    prefs: { channels: [], groups: [] },
    ...(call.readFlag('include_users') ? { users: group.users } : {}),
    // In Slack, too, this number is a string.
    ...(call.readFlag('include_count') ? { user_count: String(group.users.length) } : {}),
  };
}

export const DIRECTORY_METHODS: Methods = {
  /**
   * Describes the app's workspace, or another one that shares a channel with it (docs.slack.dev/reference/methods/team.info,
   * `team`). The app has to see this channel.
   */
  'team.info': bot(3, ['team:read'], (call) => {
    const { team } = call.site.state;
    const id = call.readText('team') ?? team.id;
    if (id !== team.id) return { team: buildConnectedTeamObject(call.site, id) };
    const organisation = findOrganisation(call.site);
    const domain = call.readText('domain');
    if (domain !== undefined && !organisation) throw new Refusal('team_not_on_enterprise');
    if (domain !== undefined && domain !== team.domain) throw new Refusal('team_not_found');
    const { url } = call.site;
    return {
      team: {
        id: team.id,
        name: team.name,
        url: `${url}/`,
        domain: team.domain,
        email_domain: '',
        ...buildEnterprisePart(call.site),
        ...(organisation && { enterprise_domain: organisation.domain }),
        icon: {
          ...Object.fromEntries(ICON_SIZES.map((size) => [size, `${url}/page/icon.svg`])),
          image_default: true,
        },
      },
    };
  }),
  /**
   * Lists the workspace's custom emoji. With `include_categories`, the standard ones come by category
   * (@slack/web-api, EmojiListResponse). The emulator knows their names only, so they are in one.
   */
  'emoji.list': bot(2, ['emoji:read'], (call) => ({
    emoji: call.site.state.emoji,
    cache_ts: (call.site.now() / 1000).toFixed(6),
    ...(call.readFlag('include_categories') && {
      categories_version: '5',
      categories: [{ name: 'Emoji', emoji_names: listStandardEmoji() }],
    }),
  })),
  /** Slack answers `user_not_found` also without `user` (kortix-ai/suna #6616). */
  'users.info': bot(4, ['users:read'], (call) => {
    const id = call.readText('user') ?? '';
    const person = id === SLACKBOT.id ? SLACKBOT : findPerson(call.site, id);
    if (!person) throw new Refusal('user_not_found');
    return { user: buildUserObject(call.site, person, call.readFlag('include_locale')) };
  }),
  'users.list': bot(2, ['users:read'], (call) => {
    const everybody = [...call.site.state.people, SLACKBOT];
    // "Providing no limit value will result in Slack attempting to deliver you the entire result set."
    const { page, next } = paginate(call, everybody, { defaultSize: Infinity });
    const locale = call.readFlag('include_locale');
    return {
      members: page.map((person) => buildUserObject(call.site, person, locale)),
      cache_ts: Math.floor(call.site.now() / 1000),
      ...next,
    };
  }),
  /** Deactivated people can't be found by e-mail address. */
  'users.lookupByEmail': bot(3, ['users:read.email'], (call) => {
    const email = call.readRequired('email').toLowerCase();
    const person = call.site.state.people.find(
      (each) => each.deactivated !== true && getEmail(each)?.toLowerCase() === email,
    );
    if (!person) throw new Refusal('users_not_found');
    return { user: buildUserObject(call.site, person, false) };
  }),
  /** `user` defaults to the app. People in the emulator have no custom fields. */
  'users.profile.get': bot(4, ['users.profile:read'], (call) => {
    const person = findPerson(call.site, call.readText('user') ?? call.botUser);
    if (!person) throw new Refusal('user_not_found');
    const { team: _, ...profile } = buildProfileObject(call.site, person);
    return { profile: { ...profile, fields: {} } };
  }),
  'bots.info': bot(3, ['users:read'], (call) => {
    const botId = call.readText('bot') ?? call.site.state.app.botId;
    const found = call.site.apps.find(({ state }) => state.app.botId === botId);
    if (!found) throw new Refusal('bot_not_found');
    return { bot: buildBotObject(found, found.manifest.botName) };
  }),
  /** Lists disabled groups only with `include_disabled`. */
  'usergroups.list': bot(2, ['usergroups:read'], (call) => {
    const includesDisabled = call.readFlag('include_disabled');
    const groups = call.site.state.userGroups.filter(({ disabled }) => includesDisabled || !disabled);
    return { usergroups: groups.map((group) => buildGroupObject(call, group)) };
  }),
  /** Finds disabled groups only with `include_disabled`. */
  'usergroups.users.list': bot(2, ['usergroups:read'], (call) => {
    const id = call.readRequired('usergroup');
    const group = call.site.state.userGroups.find((entry) => entry.id === id);
    if (!group || (group.disabled && !call.readFlag('include_disabled')))
      throw new Refusal('no_such_subteam');
    return { users: group.users };
  }),
};
