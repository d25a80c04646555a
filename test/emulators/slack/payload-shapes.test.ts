import { beforeAll, describe, expect, it } from 'vitest';
import { readSlackReference } from '../../support/slack-reference.ts';
import { collectPayloads } from './collect-payloads.ts';
import { buildShape, findShapeFaults, namePayload, type Shape } from './payload-shape.ts';

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
const appMessage = { type: s, user: s, bot_id: s, app_id: s, text: s, ts: s, team: s };
const personMessage = {
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

const place = { channel: s, channel_type: s };
const hiddenMessage = { ...place, subtype: s, hidden: 'boolean', ts: s };
const file = { id: s, name: s, title: s, mimetype: s, filetype: s, user: s, size: 'number', url_private: s };

function buildEventShape(shape: Record<string, Shape>): Shape {
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

/** The keys that an app may rely on in each payload (docs.slack.dev, "Interaction payloads", "Events API"). */
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
    message: { ...appMessage, blocks: 'list' },
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
    message: personMessage,
  },
  'event message': buildEventShape({ ...personMessage, ...place }),
  'event message by an app': buildEventShape({
    ...appMessage,
    ...place,
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
  'event message message_changed': buildEventShape({
    ...hiddenMessage,
    message: { ...appMessage, edited: { user: s, ts: s } },
    previous_message: appMessage,
  }),
  'event message message_deleted': buildEventShape({
    ...hiddenMessage,
    deleted_ts: s,
    previous_message: appMessage,
  }),
  'event message thread_broadcast': buildEventShape({ ...appMessage, ...place, subtype: s, thread_ts: s }),
  'event message file_share': buildEventShape({ ...appMessage, ...place, subtype: s, files: [file] }),
  'event message channel_join': buildEventShape({ ...place, subtype: s, user: s, text: s, ts: s }),
  'event message channel_leave': buildEventShape({ ...place, subtype: s, user: s, text: s, ts: s }),
  'event member_joined_channel': buildEventShape({ ...place, user: s, team: s, inviter: s }),
  'event member_left_channel': buildEventShape({ ...place, user: s, team: s }),
  'event channel_archive': buildEventShape({ channel: s, user: s }),
  'event channel_unarchive': buildEventShape({ channel: s, user: s }),
  'event channel_deleted': buildEventShape({ channel: s }),
  'event channel_left': buildEventShape({ channel: s, actor_id: s }),
  'event channel_shared': buildEventShape({ channel: s, connected_team_id: s }),
  'event channel_unshared': buildEventShape({
    channel: s,
    previously_connected_team_id: s,
    is_ext_shared: 'boolean',
  }),
  'event group_archive': buildEventShape({ channel: s, user: s }),
  'event group_unarchive': buildEventShape({ channel: s, user: s }),
  'event group_deleted': buildEventShape({ channel: s }),
  'event group_left': buildEventShape({ channel: s, actor_id: s }),
  'event user_change': buildEventShape({
    user: { id: s, team_id: s, name: s, deleted: 'boolean', tz: s, locale: s, is_admin: 'boolean' },
    cache_ts: 'number',
  }),
  'event app_uninstalled': buildEventShape({}),
  'event tokens_revoked': buildEventShape({ tokens: { oauth: 'list', bot: 'list' } }),
  'event file_shared': buildEventShape({ file_id: s, file: { id: s }, user_id: s, channel_id: s }),
  'event file_deleted': buildEventShape({ file_id: s }),
  'event app_mention': buildEventShape({ ...personMessage, channel: s }),
  'event app_home_opened': buildEventShape({ user: s, channel: s, tab: s }),
};

type Payload = Record<string, unknown>;

/** Payloads of Slack that other projects recorded. */
const recorded = readRecorded();
console.log(
  recorded.length > 0
    ? `payload shapes: ${recorded.length} recorded payloads are compared too`
    : 'payload shapes: SLACK_FACTS names no recorded payloads, so only the table in this test is compared',
);

function readRecorded(): { name: string; src: string; payload: Payload }[] {
  const entries = (readSlackReference('bolt-python.json') ?? []) as { src: string; payload: Payload }[];
  return entries.map(({ src, payload: body }) => {
    const form = typeof body._form === 'string' ? new URLSearchParams(body._form) : undefined;
    const payload = form ? Object.fromEntries(form) : body;
    return { name: namePayload(payload), src: src.replace(/^\S+ /, ''), payload };
  });
}

/** Keys that recorded payloads have and ours lack, with the reason. */
const OMITTED_KEYS: [keys: RegExp, reason: string][] = [
  [/(^|\.)enterprise(_id|_name)?\b/, 'this workspace belongs to no organisation'],
  [/^view\.state\.values\./, 'the ids are those of that app’s own blocks'],
  [/^event\.files\[0\]\.(thumb|original|media_display)/, 'pictures are shown in their original size only'],
  [
    /^event\.(root\.)?client_msg_id/,
    'a person’s client creates it; here only apps share files and broadcast replies',
  ],
  [/^event\.(\w+\.)?blocks/, 'Slack converts the text of an app to a rich_text block; here it stays text'],
  [/^authed_users\b/, 'authorizations took its place; Slack sends it to old apps only'],
];

/** Kinds of recorded payloads that the workspace doesn't send. */
const NOT_SENT = [
  /^event (reaction_added|team_access_granted|team_access_revoked)$/,
  /^event (function_executed|workflow_step_execute)$/,
  // Messages of integrations that aren't apps.
  /^event message bot_message$/,
  /^(interactive_message|dialog_\w+|workflow_step_edit|view_submission of workflow_step|url_verification)$/,
];

describe.each(['socket', 'http'] as const)('the payloads that an app gets over %s', (mode) => {
  let payloads: Map<string, Payload>;
  beforeAll(async () => {
    payloads = await collectPayloads(mode, Object.keys(SHAPES));
  });

  it.each(Object.entries(SHAPES))('the payload has all required keys: %s', (name, shape) => {
    expect(findShapeFaults(shape, payloads.get(name))).toEqual([]);
  });

  it('every payload has an entry in the table', () => {
    expect([...payloads.keys()].filter((name) => !SHAPES[name])).toEqual([]);
  });

  it.each(recorded.filter(({ name }) => !NOT_SENT.some((kind) => kind.test(name))))(
    'the payload has every key of the payload recorded in $src ($name)',
    ({ name, payload }) => {
      const ours = payloads.get(name);
      const faults = findShapeFaults(buildShape(payload, ours), ours);
      expect(faults.filter((fault) => !OMITTED_KEYS.some(([keys]) => keys.test(fault)))).toEqual([]);
    },
  );
});

describe('the comparison of payloads', () => {
  it('the comparison finds missing keys and values of another kind, even inside a list', () => {
    const shape = { type: 'string', user: { id: 'string' }, actions: [{ value: 'string|null' }] } as const;
    expect(findShapeFaults(shape, { type: 7, user: {}, actions: [{ value: null }, { value: 1 }] })).toEqual([
      'type: number instead of string',
      'user.id: nothing instead of string',
      'actions[1].value: number instead of string|null',
    ]);
  });

  it('the comparison requires every key of a recorded payload, but ignores lists with entries of another type', () => {
    const shape = buildShape({ a: null, b: [{ type: 'x', c: 1 }], d: { e: true } }, { b: [{ type: 'y' }] });
    expect(findShapeFaults(shape, { b: [], d: {} })).toEqual([
      'a: nothing instead of null|string|number|boolean|object|list',
      'd.e: nothing instead of boolean',
    ]);
  });
});
