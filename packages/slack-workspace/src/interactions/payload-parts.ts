import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { buildDomain } from '../state/new-team.ts';
import { findOrganisation, isOrgWide } from '../state/organisations.ts';

/** The deprecated verification token, which every payload of Slack still contains. */
const VERIFICATION_TOKEN = 'local-workspace';

/**
 * `team` of a payload: the workspace of the interaction. For a view or global shortcut it is the person's own
 * workspace, and `view.app_installed_team_id` is the one with the app (bolt-js, "extractTeamId"). If an organisation
 * installed the app, views and global shortcuts have no team.
 */
function buildTeamPart(site: Site, person: string, hasNoChannel: boolean): Json | null {
  const from = hasNoChannel ? findPerson(site, person)?.from : undefined;
  if (from) return { id: from.id, domain: buildDomain(from.name) };
  if (hasNoChannel && isOrgWide(site)) return null;
  const organisation = findOrganisation(site);
  return {
    id: site.state.team.id,
    domain: site.state.team.domain,
    ...(organisation ? { enterprise_id: organisation.id, enterprise_name: organisation.name } : {}),
  };
}

function buildEnterprisePart(site: Site): Json | null {
  const organisation = findOrganisation(site);
  return organisation ? { id: organisation.id, name: organisation.name } : null;
}

function buildUserPart(site: Site, person: string): Json {
  const found = findPerson(site, person);
  const name = found?.name ?? person;
  return { id: person, username: name, name, team_id: found?.from?.id ?? site.state.team.id };
}

/** Slack hides the names of private conversations from apps. */
export function buildChannelPart(channel: Channel): { id: string; name: string } {
  const names = { public: channel.name, private: 'privategroup', im: 'directmessage', mpim: channel.name };
  return { id: channel.id, name: names[channel.kind] };
}

/**
 * The fields that all interactions have. Shortcuts don't have `api_app_id`, and global shortcuts don't have `user.name`
 * (@slack/bolt 5.1.0, `GlobalShortcut` and `MessageShortcut`).
 */
export function buildInteractionPart(
  site: Site,
  type: string,
  person: string,
  hasNoChannel = type.startsWith('view_') || type === 'shortcut',
): Json {
  const { name, ...user } = buildUserPart(site, person);
  const isShortcut = type === 'shortcut' || type === 'message_action';
  return {
    type,
    user: type === 'shortcut' ? user : { ...user, name },
    ...(isShortcut ? {} : { api_app_id: site.state.app.id }),
    token: VERIFICATION_TOKEN,
    team: buildTeamPart(site, person, hasNoChannel),
    enterprise: buildEnterprisePart(site),
    is_enterprise_install: isOrgWide(site),
  };
}

export interface EventContext {
  /** The conversation of the event. */
  channel?: Channel;
  /** True if the event is about the installation of an organisation, not about one of its workspaces. */
  orgLevel?: boolean;
}

/** Recordings of these events have no context (github.com/vercel/chat, packages/adapter-slack). */
const WITHOUT_CONTEXT = new Set(['app_mention', 'app_home_opened']);

/** The workspace through which the app receives an event (docs.slack.dev, "The Events API"). */
function buildContextPart(site: Site, type: string): Json {
  if (WITHOUT_CONTEXT.has(type)) return {};
  return {
    context_team_id: site.state.team.id,
    context_enterprise_id: findOrganisation(site)?.id ?? null,
  };
}

/** The payload of the Events API with an event. */
export function buildEventEnvelope(
  site: Site,
  event: Json,
  id: string,
  { channel, orgLevel }: EventContext,
): Json {
  const { team, app } = site.state;
  const organisation = findOrganisation(site);
  const enterprise = organisation ? { enterprise_id: organisation.id } : {};
  const common = {
    token: VERIFICATION_TOKEN,
    ...enterprise,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(site.now() / 1000),
  };
  if (orgLevel === true) return common;
  return {
    ...common,
    team_id: team.id,
    ...buildContextPart(site, String(event.type)),
    authorizations: [
      {
        enterprise_id: organisation?.id ?? null,
        team_id: isOrgWide(site) ? null : team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: isOrgWide(site),
      },
    ],
    is_ext_shared_channel: channel?.shared === true,
    event_context: ['1', event.type, team.id, event.channel].join('-'),
  };
}

/** The fields of a command, which Slack sends without nesting. */
export function buildCommandFields(site: Site, person: string, channel: Channel): Json {
  const part = buildChannelPart(channel);
  const organisation = findOrganisation(site);
  return {
    token: VERIFICATION_TOKEN,
    team_id: site.state.team.id,
    team_domain: site.state.team.domain,
    channel_id: part.id,
    channel_name: part.name,
    user_id: person,
    user_name: findPerson(site, person)?.name ?? person,
    api_app_id: site.state.app.id,
    ...(organisation ? { enterprise_id: organisation.id, enterprise_name: organisation.name } : {}),
    is_enterprise_install: String(isOrgWide(site)),
  };
}
