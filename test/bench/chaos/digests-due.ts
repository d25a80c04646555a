import { setTimeout as delay } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import type { DigestResult } from './check.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** Attempts to set up a digest. One or two may fail. */
const MAX_ATTEMPTS = 3;
const SAVE_TIMEOUT_MS = 10_000;
/** Maximum delay of a digest. It is longer than the clock of an instance can be behind. */
const MAX_DELAY_MS = 5 * MINUTE_MS;

export interface DueDigest {
  channel: string;
  id: string;
  due: number;
}

/** Sets up a digest for each minute until `until`, each in its own channel. */
export async function setUpDigests(world: World, until: number): Promise<DueDigest[]> {
  const { workspace } = world;
  const ana = workspace.as('Ana');
  const dueDigests: DueDigest[] = [];
  const first = Math.ceil((Date.now() + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS;
  for (let due = first; due <= until; due += MINUTE_MS) {
    const channel = `#digest-${dueDigests.length}`;
    const id = workspace.admin.addChannel(channel, { members: ['Ana', 'upnext'] });
    dueDigests.push({ channel, id, due });
  }
  for (const { channel, due } of dueDigests) {
    const time = new Date(due).toISOString().slice(11, 16);
    ana.in(channel);
    for (let remaining = MAX_ATTEMPTS; remaining > 0 && !ana.read().includes('Saved.'); remaining -= 1) {
      await ana.type(`/upnext digest daily ${time} in UTC for Harbour Coffee`);
      const ends = Date.now() + SAVE_TIMEOUT_MS;
      while (Date.now() < ends && !ana.messages().join('\n').includes('Saved.')) await delay(100);
    }
    if (!ana.messages().join('\n').includes('Saved.')) {
      throw new Error(`could not set up a digest:\n${ana.read()}`);
    }
  }
  return dueDigests;
}

/** Reads the result of each digest. Undefined for digests that may still arrive. */
export async function readDigestResults(
  world: World,
  all: readonly DueDigest[],
): Promise<(DigestResult | undefined)[]> {
  const { workspace } = world;
  const client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
  const ana = await workspace.as('Ana').inDirectMessage();
  const messages = ana.messages();
  return Promise.all(
    all.map(async ({ channel, id, due }) => {
      const history = await client.conversations.history({
        channel: id,
        limit: 100,
        include_all_metadata: true,
      });
      const messageCount = (history.messages ?? []).filter(
        ({ metadata }) => metadata?.event_type === 'digest_sent',
      ).length;
      const channelName = new RegExp(`${channel}\\b`);
      const isOwnerNotified = messages.some((text) => channelName.test(text));
      if (messageCount === 0 && !isOwnerNotified && Date.now() < due + MAX_DELAY_MS) return undefined;
      return { name: channel, messageCount, isOwnerNotified };
    }),
  );
}
