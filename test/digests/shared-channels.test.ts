import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createSharedChannels } from '../../src/digests/shared-channels.ts';
import { MINUTE_MS } from '../../src/durations.ts';

/** Reads a channel at minutes 0, 14 and 15.1 while the list of channels is cached for 15 minutes. */
async function readAtThreeTimes(lookUpLast: () => Promise<object>) {
  let minute = 0;
  const client = {
    users: {
      conversations: async () => ({
        channels: [minute < 15 ? { id: 'C1' } : { id: 'C1', is_ext_shared: true }],
      }),
    },
    conversations: {
      info: async () => {
        if (minute === 0) return { channel: {} };
        return minute < 15 ? { channel: { is_ext_shared: false } } : lookUpLast();
      },
    },
  } as unknown as WebClient;
  const { findReaders } = createSharedChannels(() => minute * MINUTE_MS, 15 * MINUTE_MS);
  const readers = [];
  for (minute of [0, 14, 15.1]) readers.push(await findReaders({ workspace: 'T1', channel: 'C1' }, client));
  return readers;
}

const INTERNAL = { isShared: false, outsiders: [] };

test('a lookup of a channel is not used after a newer list says that it is shared', async () => {
  const refuse = () => Promise.reject(Object.assign(new Error(), { data: { error: 'channel_not_found' } }));
  const shared = { isShared: true, outsiders: [] };
  expect(await readAtThreeTimes(refuse)).toEqual(['unknown', INTERNAL, shared]);
});

test('the outsiders of a channel that a newer list calls shared are looked up', async () => {
  const name = async () => ({ channel: { is_ext_shared: true, shared_team_ids: ['T0ROASTER'] } });
  const shared = { isShared: true, outsiders: ['T0ROASTER'] };
  expect(await readAtThreeTimes(name)).toEqual(['unknown', INTERNAL, shared]);
});
