import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { personById } from '../state/directory.ts';

/** Slack's old way for an app to know Slack: still in every payload, and secret to nobody. */
const VERIFICATION_TOKEN = 'local-workspace';

/**
 * The workspace that something came from. In a view it is the person's own, and the app finds the one that it is
 * installed in as `view.app_installed_team_id` (bolt-js, "extractTeamId").
 */
function teamPart(site: Site, person: string, inView: boolean): Json {
  const from = inView ? personById(site, person)?.from : undefined;
  if (from) return { id: from.id, domain: from.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') };
  return { id: site.state.team.id, domain: site.state.team.domain };
}

function userPart(site: Site, person: string): Json {
  const who = personById(site, person);
  const name = who?.name ?? person;
  return { id: person, username: name, name, team_id: who?.from?.id ?? site.state.team.id };
}

/** Slack does not tell an app what a private conversation is called. */
export function channelPart(channel: Channel): { id: string; name: string } {
  const names = { public: channel.name, private: 'privategroup', im: 'directmessage' };
  return { id: channel.id, name: names[channel.kind] };
}

/** What every interaction carries. */
export function interaction(
  site: Site,
  type: string,
  person: string,
  inView = type.startsWith('view_'),
): Json {
  return {
    type,
    user: userPart(site, person),
    api_app_id: site.state.app.id,
    token: VERIFICATION_TOKEN,
    team: teamPart(site, person, inView),
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** An event of the Events API in its wrapper. */
export function eventEnvelope(site: Site, event: Json, id: string, shared: boolean): Json {
  return {
    token: VERIFICATION_TOKEN,
    team_id: site.state.team.id,
    api_app_id: site.state.app.id,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(site.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: site.state.team.id,
        user_id: site.state.app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: shared,
    event_context: ['1', event.type, site.state.team.id, event.channel].join('-'),
  };
}

/** Command fields, which Slack sends flat. */
export function commandFields(site: Site, person: string, channel: Channel): Json {
  const part = channelPart(channel);
  return {
    token: VERIFICATION_TOKEN,
    team_id: site.state.team.id,
    team_domain: site.state.team.domain,
    channel_id: part.id,
    channel_name: part.name,
    user_id: person,
    user_name: personById(site, person)?.name ?? person,
    api_app_id: site.state.app.id,
    is_enterprise_install: 'false',
  };
}
