import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { expect, test } from 'vitest';
import type { Guests } from '../../src/slack/audience.ts';
import { createReaderCheck, type Place } from '../../src/slack/readers.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';

const [ROASTER, BAKERY] = ['T02ROASTER', 'T03BAKERY'];

/** Creates the check for a channel that Slack describes like this, and people whose role is this. */
function createCheck(
  channel: object | Error,
  role: 'yes' | 'no' | 'unknown' = 'yes',
  excludedGuests: Guests = 'no',
) {
  const calls: string[] = [];
  const info = async () => {
    calls.push('conversations.info');
    if (channel instanceof Error) throw channel;
    return { channel };
  };
  const client = { conversations: { info } } as unknown as WebClient;
  const call = {
    client,
    log: SILENT,
    reference: 'r',
    actor: { workspace: 'T01HARBOUR' },
  };
  const check = createReaderCheck(call, {
    async checkViewer(user) {
      calls.push(user);
      return role;
    },
    async findExcludedGuests(id) {
      calls.push(`guests of ${id}`);
      return excludedGuests;
    },
  });
  return { calls, mayRead: (place: Place) => check.mayRead(place, 'p1') };
}

const INTERNAL = { is_ext_shared: false };
const sharedWith = (...teams: string[]) => ({
  is_ext_shared: true,
  shared_team_ids: ['T01HARBOUR', ...teams],
});

test.each<[name: string, channel: object, confirmed: string[] | null, answer: boolean]>([
  ['only members read it', INTERNAL, null, true],
  ['only members read it, and outsiders were confirmed', INTERNAL, [ROASTER], true],
  ['it is shared', sharedWith(ROASTER), null, false],
  ['an organisation was invited', { is_ext_shared: false, is_pending_ext_shared: true }, null, false],
  ['the same outsiders were confirmed', sharedWith(ROASTER), [ROASTER], true],
  ['one of the confirmed outsiders has left', sharedWith(ROASTER), [ROASTER, BAKERY], true],
  ['another one has joined', sharedWith(ROASTER, BAKERY), [ROASTER], false],
  ['outsiders without names were confirmed', { is_ext_shared: true }, [], true],
  ['outsiders without names were confirmed, and have names by now', sharedWith(ROASTER), [], false],
  ['Slack doesn’t say whether it is shared', {}, null, false],
])('a channel in which %s', async (_name, channel, confirmed, answer) => {
  expect(await createCheck(channel).mayRead({ channel: 'C1', sharedWith: confirmed })).toBe(answer);
});

test('a channel that Slack doesn’t show may not be read, and one that it can’t look up is unknown', async () => {
  const gone = createCheck(new WebAPIPlatformError({ ok: false, error: 'channel_not_found' }));
  expect(await gone.mayRead({ channel: 'C1' })).toBe(false);
  const failed = createCheck(new WebAPIPlatformError({ ok: false, error: 'internal_error' }));
  const error: unknown = await failed.mayRead({ channel: 'C1' }).catch((thrown: unknown) => thrown);
  expect(isTransient(error)).toBe(true);
});

test.each<[guests: Guests, answer: boolean | 'waits']>([
  ['no', true],
  ['yes', false],
  ['unknown', false],
  ['not-checked', 'waits'],
])('a channel with guests whom the policy keeps out: %s', async (guests, answer) => {
  const result: unknown = await createCheck(INTERNAL, 'yes', guests)
    .mayRead({ channel: 'C1' })
    .catch((error: unknown) => (isTransient(error) ? 'waits' : error));
  expect(result).toBe(answer);
});

test('a person may read what their role lets them read, and a direct message whose person isn’t known nobody', async () => {
  expect(await createCheck({}, 'yes').mayRead({ channel: 'U1' })).toBe(true);
  expect(await createCheck({}, 'yes').mayRead({ channel: 'D1', person: 'U1' })).toBe(true);
  expect(await createCheck({}, 'no').mayRead({ channel: 'D1', person: 'U1' })).toBe(false);
  expect(await createCheck({}, 'yes').mayRead({ channel: 'D1' })).toBe(false);
  const error: unknown = await createCheck({}, 'unknown')
    .mayRead({ channel: 'U1' })
    .catch((thrown: unknown) => thrown);
  expect(isTransient(error)).toBe(true);
});

test('each channel and each person is looked up once', async () => {
  const { calls, mayRead } = createCheck(INTERNAL);
  for (const channel of ['C1', 'C1', 'U1', 'U1']) await mayRead({ channel });
  await mayRead({ channel: 'D1', person: 'U1' });
  expect(calls).toEqual(['conversations.info', 'guests of C1', 'U1']);
});
