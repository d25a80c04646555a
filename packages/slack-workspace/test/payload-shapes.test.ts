import { beforeAll, describe, expect, it } from 'vitest';
import { collectPayloads } from './collect-payloads.ts';
import { buildShape, findShapeFaults, namePayload } from './payload-shape.ts';
import { REQUIRED_SHAPES } from './required-shapes.ts';
import { readSlackReference } from './support/slack-reference.ts';

type Payload = Record<string, unknown>;

/** Payloads of Slack that other projects recorded. */
const recordedPayloads = readRecordedPayloads();
console.log(
  recordedPayloads.length > 0
    ? `payload shapes: ${recordedPayloads.length} recorded payloads are compared too`
    : 'payload shapes: SLACK_FACTS names no recorded payloads, so only the table in this test is compared',
);

function readRecordedPayloads(): { name: string; src: string; payload: Payload }[] {
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
  [/^event\.files\[0\]\.thumb_tiny/, 'its format is not documented'],
  [
    /^event\.(root\.)?client_msg_id/,
    'a person’s client creates it; here only apps share files and broadcast replies',
  ],
  [/^event\.inputs\./, 'the inputs are those of that app’s own function'],
  [/^event\.item\.channel_type/, 'one recording of seven has it, and @slack/types does not'],
  [/^authed_users\b/, 'authorizations took its place; Slack sends it to old apps only'],
];

/** Kinds of recorded payloads that the workspace doesn't send. */
const NOT_SENT = [
  /^event (team_access_granted|team_access_revoked)$/,
  /^event workflow_step_execute$/,
  // Messages of integrations that aren't apps.
  /^event message bot_message$/,
  /^(interactive_message|dialog_\w+|workflow_step_edit|view_submission of workflow_step|url_verification)$/,
];

describe.each(['socket', 'http'] as const)('the payloads that an app gets over %s', (mode) => {
  let payloads: Map<string, Payload>;
  beforeAll(async () => {
    payloads = await collectPayloads(mode, Object.keys(REQUIRED_SHAPES));
  });

  it.each(Object.entries(REQUIRED_SHAPES))('the payload has all required keys: %s', (name, shape) => {
    expect(findShapeFaults(shape, payloads.get(name))).toEqual([]);
  });

  it('every payload has an entry in the table', () => {
    expect([...payloads.keys()].filter((name) => !REQUIRED_SHAPES[name])).toEqual([]);
  });

  it.each(recordedPayloads.filter(({ name }) => !NOT_SENT.some((kind) => kind.test(name))))(
    'the payload has every key of the payload recorded in $src ($name)',
    ({ name, payload }) => {
      const emulatedPayload = payloads.get(name);
      const faults = findShapeFaults(buildShape(payload, emulatedPayload), emulatedPayload);
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
