import type { Answer, AppRequest } from '../deliver/app-connection.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { EVENT_RULES } from '../rules/event-rules.ts';
import type { Site } from '../site.ts';
import { findOrganisation, isOrgWide } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import { hasAnyScope } from '../state/grants.ts';
import { makeId } from '../state/ids.ts';
import { buildDomain } from '../state/new-team.ts';

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
  const { id, domain } = site.state.team;
  return { id, domain, ...buildEnterprisePart(site) };
}

export function buildEnterprisePart(site: Site): Json {
  const organisation = findOrganisation(site);
  return organisation ? { enterprise_id: organisation.id, enterprise_name: organisation.name } : {};
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
  const organisation = findOrganisation(site);
  const { name, ...user } = buildUserPart(site, person);
  const isShortcut = type === 'shortcut' || type === 'message_action';
  return {
    type,
    user: type === 'shortcut' ? user : { ...user, name },
    ...(isShortcut ? {} : { api_app_id: site.state.app.id }),
    token: VERIFICATION_TOKEN,
    team: buildTeamPart(site, person, hasNoChannel),
    enterprise: organisation ? { id: organisation.id, name: organisation.name } : null,
    is_enterprise_install: isOrgWide(site),
  };
}

interface EventContext {
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
function buildEventEnvelope(site: Site, event: Json, id: string, { channel, orgLevel }: EventContext): Json {
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
  return {
    token: VERIFICATION_TOKEN,
    team_id: site.state.team.id,
    team_domain: site.state.team.domain,
    channel_id: part.id,
    channel_name: part.name,
    user_id: person,
    user_name: findPerson(site, person)?.name ?? person,
    api_app_id: site.state.app.id,
    ...buildEnterprisePart(site),
    is_enterprise_install: String(isOrgWide(site)),
  };
}

/** Slack retries a failed event at once, after a minute, and after five minutes (docs.slack.dev, "The Events API"). */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];

/** `event_ts`: seconds with six decimals. */
export const makeEventTs = (site: Site): string => (site.now() / 1000).toFixed(6);

/** The value of `x-slack-retry-reason`, or undefined if the event isn't retried. */
function getRetryReason(site: Site, answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged' || (answer.kind === 'refused' && answer.final === true))
    return undefined;
  // Without an open socket, events are lost.
  if (site.connection.transport === 'socket') return answer.kind === 'not-connected' ? undefined : 'timeout';
  if (answer.kind === 'late') return 'http_timeout';
  return answer.kind === 'refused' ? 'http_error' : 'connection_failed';
}

async function send(site: Site, label: string, payload: Json, retry?: AppRequest['retry']): Promise<void> {
  const recordLabel = retry ? `${label}, sent again (${retry.num})` : label;
  const answer = await site.connection.deliver(recordLabel, {
    ...{ type: 'events_api', payload },
    ...(retry && { retry }),
  });
  const reason = getRetryReason(site, answer);
  const num = (retry?.num ?? 0) + 1;
  const delayMs = RETRY_DELAYS_MS[num - 1];
  if (reason === undefined || delayMs === undefined) return;
  site.runAfter(delayMs, () => sendSoon(site, label, payload, { num, reason }));
}

/** Sends an event that nobody waits for, so errors go to the log. */
function sendSoon(...sent: Parameters<typeof send>): void {
  send(...sent).catch((error: unknown) => console.error('could not send an event:', error));
}

/** Events that an app gets even after it was uninstalled. */
const AFTER_UNINSTALL = new Set(['app_uninstalled', 'tokens_revoked', 'team_access_revoked']);

/** Whether the app gets an event: it subscribed to it, is installed, and has the scope. */
function isSubscribed(site: Site, subscription: string): boolean {
  if (!site.manifest.events.includes(subscription)) return false;
  const { ended, absent } = site.state.app;
  if ((ended !== undefined || absent === true) && !AFTER_UNINSTALL.has(subscription)) return false;
  return hasAnyScope(site, EVENT_RULES[subscription] ?? []);
}

/**
 * Sends an event with these fields if the app subscribed to it. Its type is the name of the subscription, unless the
 * fields have another one. Doesn't wait for the acknowledgement.
 */
export function sendEvent(site: Site, subscription: string, fields: Json, about: EventContext = {}): void {
  if (!isSubscribed(site, subscription)) return;
  const event = { type: subscription, event_ts: makeEventTs(site), ...fields };
  sendSoon(site, subscription, buildEventEnvelope(site, event, makeId('Ev'), about));
}
