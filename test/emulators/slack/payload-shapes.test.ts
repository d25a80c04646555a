import { beforeAll, describe, expect, it } from 'vitest';
import { readSlackReference } from '../../support/slack-reference.ts';
import { collectPayloads } from './collect-payloads.ts';
import { payloadName, type Shape, shapeFaults, shapeOf } from './payload-shape.ts';

const s = 'string';
const common = {
  type: s,
  token: s,
  api_app_id: s,
  team: { id: s, domain: s },
  user: { id: s, username: s, name: s, team_id: s },
  enterprise: 'null',
  is_enterprise_install: 'boolean',
};
const view = {
  id: s,
  team_id: s,
  type: s,
  blocks: 'list',
  private_metadata: s,
  callback_id: s,
  state: { values: 'object' },
  hash: s,
  title: { type: s, text: s },
  clear_on_close: 'boolean',
  notify_on_close: 'boolean',
  close: 'object|null',
  submit: 'object|null',
  previous_view_id: 'string|null',
  root_view_id: s,
  app_id: s,
  external_id: s,
  app_installed_team_id: s,
  bot_id: s,
};
const channel = { id: s, name: s };
const action = { type: s, action_id: s, block_id: s, action_ts: s };
const posted = { type: s, user: s, bot_id: s, app_id: s, text: s, ts: s, team: s };
const typed = {
  type: s,
  client_msg_id: s,
  user: s,
  text: s,
  ts: s,
  team: s,
  blocks: [{ type: s, block_id: s, elements: [{ type: s, elements: 'list' }] }],
};
const inMessage = { channel, response_url: s, trigger_id: s, state: { values: 'object' }, actions: [action] };
const inView = { view, trigger_id: s, container: { type: s, view_id: s }, actions: [action] };

const where = { channel: s, channel_type: s };
const hidden = { ...where, subtype: s, hidden: 'boolean', ts: s };
const file = { id: s, name: s, title: s, mimetype: s, filetype: s, user: s, size: 'number', url_private: s };

function event(shape: Record<string, Shape>): Shape {
  const authorization = {
    enterprise_id: 'null',
    team_id: s,
    user_id: s,
    is_bot: 'boolean',
    is_enterprise_install: 'boolean',
  };
  return {
    token: s,
    team_id: s,
    api_app_id: s,
    type: s,
    event_id: s,
    event_time: 'number',
    event_context: s,
    is_ext_shared_channel: 'boolean',
    authorizations: [authorization],
    event: { type: s, event_ts: s, ...shape },
  };
}

/** What an app may rely on in each payload (docs.slack.dev, "Interaction payloads", "Events API"), in our words. */
const SHAPES: Readonly<Record<string, Shape>> = {
  command: {
    token: s,
    team_id: s,
    team_domain: s,
    channel_id: s,
    channel_name: s,
    user_id: s,
    user_name: s,
    command: s,
    text: s,
    api_app_id: s,
    is_enterprise_install: s,
    response_url: s,
    trigger_id: s,
  },
  'block_actions in a message': {
    ...common,
    ...inMessage,
    container: { type: s, message_ts: s, channel_id: s, is_ephemeral: 'boolean' },
    message: { ...posted, blocks: 'list' },
  },
  'block_actions in an ephemeral message': {
    ...common,
    ...inMessage,
    container: { type: s, message_ts: s, channel_id: s, is_ephemeral: 'boolean' },
  },
  'block_actions in modal': { ...common, ...inView },
  'block_actions in home': { ...common, ...inView },
  view_submission: { ...common, view, trigger_id: s, response_urls: 'list' },
  view_closed: { ...common, view, is_cleared: 'boolean', response_urls: 'list' },
  block_suggestion: {
    ...common,
    view,
    action_id: s,
    block_id: s,
    value: s,
    container: { type: s, view_id: s },
  },
  shortcut: { ...common, callback_id: s, trigger_id: s, action_ts: s },
  message_action: {
    ...common,
    callback_id: s,
    trigger_id: s,
    action_ts: s,
    response_url: s,
    channel,
    message_ts: s,
    message: typed,
  },
  'event message': event({ ...typed, ...where }),
  'event message by an app': event({
    ...posted,
    ...where,
    bot_profile: {
      id: s,
      deleted: 'boolean',
      name: s,
      updated: 'number',
      app_id: s,
      team_id: s,
      icons: 'object',
    },
  }),
  'event message message_changed': event({
    ...hidden,
    message: { ...posted, edited: { user: s, ts: s } },
    previous_message: posted,
  }),
  'event message message_deleted': event({ ...hidden, deleted_ts: s, previous_message: posted }),
  'event message thread_broadcast': event({ ...posted, ...where, subtype: s, thread_ts: s }),
  'event message file_share': event({ ...posted, ...where, subtype: s, files: [file] }),
  'event message channel_join': event({ ...where, subtype: s, user: s, text: s, ts: s }),
  'event message channel_leave': event({ ...where, subtype: s, user: s, text: s, ts: s }),
  'event member_joined_channel': event({ ...where, user: s, team: s, inviter: s }),
  'event member_left_channel': event({ ...where, user: s, team: s }),
  'event channel_archive': event({ channel: s, user: s }),
  'event channel_unarchive': event({ channel: s, user: s }),
  'event channel_deleted': event({ channel: s }),
  'event channel_left': event({ channel: s, actor_id: s }),
  'event channel_shared': event({ channel: s, connected_team_id: s }),
  'event channel_unshared': event({
    channel: s,
    previously_connected_team_id: s,
    is_ext_shared: 'boolean',
  }),
  'event group_archive': event({ channel: s, user: s }),
  'event group_unarchive': event({ channel: s, user: s }),
  'event group_deleted': event({ channel: s }),
  'event group_left': event({ channel: s, actor_id: s }),
  'event user_change': event({
    user: { id: s, team_id: s, name: s, deleted: 'boolean', tz: s, locale: s, is_admin: 'boolean' },
    cache_ts: 'number',
  }),
  'event app_uninstalled': event({}),
  'event tokens_revoked': event({ tokens: { oauth: 'list', bot: 'list' } }),
  'event file_shared': event({ file_id: s, file: { id: s }, user_id: s, channel_id: s }),
  'event file_deleted': event({ file_id: s }),
  'event app_mention': event({ ...typed, channel: s }),
  'event app_home_opened': event({ user: s, channel: s, tab: s }),
};

type Payload = Record<string, unknown>;

/** Payloads that others recorded from Slack. */
const recorded = readRecorded();
console.log(
  recorded.length > 0
    ? `payload shapes: ${recorded.length} recorded payloads are compared too`
    : 'payload shapes: SLACK_FACTS names no recorded payloads, only our own table is compared',
);

function readRecorded(): { name: string; src: string; payload: Payload }[] {
  const entries = (readSlackReference('bolt-python.json') ?? []) as { src: string; payload: Payload }[];
  return entries.map(({ src, payload: body }) => {
    const form = typeof body._form === 'string' ? new URLSearchParams(body._form) : undefined;
    const payload = form ? Object.fromEntries(form) : body;
    return { name: payloadName(payload), src: src.replace(/^\S+ /, ''), payload };
  });
}

/** What a recorded payload has and ours has not, with the reason. */
const LEFT_OUT: [keys: RegExp, because: string][] = [
  [/(^|\.)enterprise(_id|_name)?\b/, 'this workspace belongs to no organisation'],
  [/^view\.state\.values\./, 'the ids are those of that app’s own blocks'],
  [
    /^event\.files\[0\]\.(thumb|original|media_display)/,
    'pictures are shown here as they are, without smaller ones',
  ],
  [
    /^event\.(root\.)?client_msg_id/,
    'a person’s client makes it; here apps alone share files and send replies to the channel',
  ],
  [/^event\.(\w+\.)?blocks/, 'Slack reads the text of an app into a rich_text block; here it stays text'],
  [/^authed_users\b/, 'authorizations took its place; Slack sends it to old apps only'],
];

/** Kinds of recorded payloads that the workspace does not send. */
const NOT_SENT = [
  /^event (reaction_added|team_access_granted|team_access_revoked)$/,
  /^event (function_executed|workflow_step_execute)$/,
  // The messages of integrations that are no apps.
  /^event message bot_message$/,
  /^(interactive_message|dialog_\w+|workflow_step_edit|view_submission of workflow_step|url_verification)$/,
];

describe.each(['socket', 'http'] as const)('a payload that an app gets over %s', (mode) => {
  let got: Map<string, Payload>;
  beforeAll(async () => {
    got = await collectPayloads(mode, Object.keys(SHAPES));
  });

  it.each(Object.entries(SHAPES))('has all that its kind has: %s', (name, shape) => {
    expect(shapeFaults(shape, got.get(name))).toEqual([]);
  });

  it('is of a kind that the table knows', () => {
    expect([...got.keys()].filter((name) => !SHAPES[name])).toEqual([]);
  });

  it.each(recorded.filter(({ name }) => !NOT_SENT.some((kind) => kind.test(name))))(
    'has every key of the one recorded in $src ($name)',
    ({ name, payload }) => {
      const ours = got.get(name);
      const faults = shapeFaults(shapeOf(payload, ours), ours);
      expect(faults.filter((fault) => !LEFT_OUT.some(([keys]) => keys.test(fault)))).toEqual([]);
    },
  );
});

describe('the comparison', () => {
  it('finds a missing key, another kind and what is wrong inside a list', () => {
    const shape = { type: 'string', user: { id: 'string' }, actions: [{ value: 'string|null' }] } as const;
    expect(shapeFaults(shape, { type: 7, user: {}, actions: [{ value: null }, { value: 1 }] })).toEqual([
      'type: number instead of string',
      'user.id: nothing instead of string',
      'actions[1].value: number instead of string|null',
    ]);
  });

  it('asks for every key of a recorded payload, but not for the entries of a list of other things', () => {
    const shape = shapeOf({ a: null, b: [{ type: 'x', c: 1 }], d: { e: true } }, { b: [{ type: 'y' }] });
    expect(shapeFaults(shape, { b: [], d: {} })).toEqual([
      'a: nothing instead of null|string|number|boolean|object|list',
      'd.e: nothing instead of boolean',
    ]);
  });
});
