import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { fetchMentionedNames } from '../../src/slack/fetch-mentioned-names.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const CHANNELS = new Map([
  ['COPEN', { name: 'open' }],
  ['CHERE', { name: 'here', is_private: true }],
  ['CBOARD', { name: 'board', is_private: true }],
]);

/** Creates a call from the private channel CHERE. Each answer of Slack takes 5 ms. */
function createCall() {
  const counts = { open: 0, maxOpen: 0 };
  const answer = async <Value>(value: Value | undefined): Promise<Value> => {
    counts.open += 1;
    counts.maxOpen = Math.max(counts.maxOpen, counts.open);
    await new Promise((resolve) => setImmediate(resolve));
    counts.open -= 1;
    if (value === undefined) throw new WebAPIPlatformError({ ok: false, error: 'channel_not_found' });
    return value;
  };
  const client = {
    conversations: {
      info: async ({ channel: id }: { channel: string }) => {
        const channel = CHANNELS.get(id);
        return answer(channel && { channel });
      },
    },
    users: { info: async ({ user }: { user: string }) => answer({ user: { name: `name of ${user}` } }) },
  } as unknown as WebClient;
  const actor = { workspace: 'T1', user: 'U1' };
  return { counts, call: { client, log: SILENT, reference: 'r1', actor, channel: 'CHERE' } };
}

test('the name of another private channel, which the person may not see, isn’t told', async () => {
  const ids = [...CHANNELS.keys(), 'CGONE'];
  const text = ids.map((id) => `<#${id}|>`).join(' ');
  const findName = await fetchMentionedNames(createCall().call, { text });
  expect(ids.map((id) => findName('channel', id))).toEqual(['open', 'here', undefined, undefined]);
});

test('twenty names are looked up, a few at once', async () => {
  const { call, counts } = createCall();
  const text = Array.from({ length: 25 }, (_, index) => `<@U${index}>`).join(' ');
  const findName = await fetchMentionedNames(call, { text }, 60_000);
  expect([findName('user', 'U19'), findName('user', 'U20')]).toEqual(['name of U19', undefined]);
  expect(counts.maxOpen).toBeLessThanOrEqual(10);
});
