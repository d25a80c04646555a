import { setTimeout as delay } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import type { DigestResult } from './check.ts';
import { MAX_CLOCK_OFFSET_MS, type World } from './world.ts';

const MINUTE_MS = 60_000;
/** Maximum attempts to set up a digest. One or two may fail because of the faults. */
const MAX_ATTEMPTS = 3;
const SAVE_TIMEOUT_MS = 10_000;
/** Maximum delay of a digest. The clock of an instance is never as far behind. */
const MAX_DELAY_MS = 5 * MINUTE_MS;

export interface DueDigest {
  channel: string;
  channelId: string;
  dueAt: number;
}

/**
 * Sets up a digest for each minute until `until` (ms), each in its own channel. An instance whose clock is ahead must
 * not take the first for tomorrow's.
 */
export async function setUpDigests(world: World, until: number): Promise<DueDigest[]> {
  const { workspace } = world;
  const ana = workspace.as('Ana');
  const dueDigests: DueDigest[] = [];
  const first = Math.ceil((Date.now() + MAX_CLOCK_OFFSET_MS + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS;
  for (let dueAt = first; dueAt <= until; dueAt += MINUTE_MS) {
    const channel = `#digest-${dueDigests.length}`;
    const id = workspace.admin.addChannel(channel, { members: ['Ana', 'upnext'] });
    dueDigests.push({ channel, channelId: id, dueAt });
  }
  for (const { channel, dueAt } of dueDigests) {
    const time = new Date(dueAt).toISOString().slice(11, 16);
    ana.in(channel);
    for (let remaining = MAX_ATTEMPTS; remaining > 0 && !ana.read().includes('Saved.'); remaining -= 1) {
      await ana.type(`/upnext digest daily ${time} in UTC for Harbour Coffee`);
      const endsAt = Date.now() + SAVE_TIMEOUT_MS;
      while (Date.now() < endsAt && !ana.messages().join('\n').includes('Saved.')) await delay(100);
    }
    if (!ana.messages().join('\n').includes('Saved.')) {
      throw new Error(`could not set up a digest:\n${ana.read()}`);
    }
  }
  return dueDigests;
}

/** Reads the result of each digest. A result is undefined while the digest may still arrive. */
export async function readDigestResults(
  world: World,
  dueDigests: readonly DueDigest[],
): Promise<(DigestResult | undefined)[]> {
  const { workspace } = world;
  const client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
  const ana = await workspace.as('Ana').inDirectMessage();
  const messages = ana.messages();
  return Promise.all(
    dueDigests.map(async ({ channel, channelId: id, dueAt }) => {
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
      if (messageCount === 0 && !isOwnerNotified && Date.now() < dueAt + MAX_DELAY_MS) return undefined;
      return { name: channel, messageCount, isOwnerNotified };
    }),
  );
}
