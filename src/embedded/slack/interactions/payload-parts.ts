import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { personById } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';

/** Slack's old way for an app to know Slack: still in every payload, and secret to nobody. */
const VERIFICATION_TOKEN = 'local-workspace';

function teamPart(site: Site): Json {
  return { id: site.state.team.id, domain: site.state.team.domain };
}

function userPart(site: Site, person: string): Json {
  const name = personById(site, person)?.name ?? person;
  return { id: person, username: name, name, team_id: site.state.team.id };
}

/** Slack does not tell an app what a private conversation is called. */
export function channelPart(channel: Channel): { id: string; name: string } {
  const names = { public: channel.name, private: 'privategroup', im: 'directmessage' };
  return { id: channel.id, name: names[channel.kind] };
}

/** What every interaction carries. */
export function interaction(site: Site, type: string, person: string): Json {
  return {
    type,
    user: userPart(site, person),
    api_app_id: site.state.app.id,
    token: VERIFICATION_TOKEN,
    team: teamPart(site),
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** An event of the Events API in its wrapper. */
export function eventEnvelope(site: Site, event: Json, id: string): Json {
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
    is_ext_shared_channel: false,
  };
}

/** A message as Slack shows it to an app. */
export function messagePart(site: Site, message: StoredMessage): Json {
  const { app, team } = site.state;
  const byApp = message.user === app.botUserId;
  return {
    type: 'message',
    user: message.user,
    ...(byApp ? { bot_id: app.botId, app_id: app.id } : {}),
    text: message.text,
    ts: message.ts,
    team: team.id,
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(message.edited === true ? { edited: { user: message.user, ts: message.ts } } : {}),
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
