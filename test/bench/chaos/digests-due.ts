import { setTimeout as delay } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import type { DigestSeen } from './check.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** Who sets them up may need a second try. */
const TRIES = 3;
const SAVED_MS = 10_000;
/** An instance whose clock is behind is no later than that. */
const LATE_MS = 5 * MINUTE_MS;

export interface DueDigest {
  channel: string;
  id: string;
  due: number;
}

/** One digest for each minute until then, each in a channel of its own. */
export async function setUpDigests(world: World, until: number): Promise<DueDigest[]> {
  const { workspace } = world;
  const ana = workspace.as('Ana');
  const all: DueDigest[] = [];
  const first = Math.ceil((Date.now() + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS;
  for (let due = first; due <= until; due += MINUTE_MS) {
    const channel = `#digest-${all.length}`;
    const id = workspace.admin.addChannel(channel, { members: ['Ana', 'upnext'] });
    all.push({ channel, id, due });
  }
  for (const { channel, due } of all) {
    const time = new Date(due).toISOString().slice(11, 16);
    ana.in(channel);
    for (let left = TRIES; left > 0 && !ana.read().includes('Saved.'); left -= 1) {
      await ana.type(`/upnext digest daily ${time} in UTC for Harbour Coffee`);
      const ends = Date.now() + SAVED_MS;
      while (Date.now() < ends && !ana.messages().join('\n').includes('Saved.')) await delay(100);
    }
    if (!ana.messages().join('\n').includes('Saved.')) {
      throw new Error(`a digest could not be set up:\n${ana.read()}`);
    }
  }
  return all;
}

/** How each stands now; of those that may still come, `undefined`. */
export async function seenDigests(
  world: World,
  all: readonly DueDigest[],
): Promise<(DigestSeen | undefined)[]> {
  const { workspace } = world;
  const client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
  const ana = await workspace.as('Ana').inDirectMessage();
  const heard = ana.messages();
  return Promise.all(
    all.map(async ({ channel, id, due }) => {
      const history = await client.conversations.history({
        channel: id,
        limit: 100,
        include_all_metadata: true,
      });
      const posted = (history.messages ?? []).filter(
        ({ metadata }) => metadata?.event_type === 'digest_sent',
      ).length;
      const named = new RegExp(`${channel}\\b`);
      const isOwnerTold = heard.some((text) => named.test(text));
      if (posted === 0 && !isOwnerTold && Date.now() < due + LATE_MS) return undefined;
      return { name: channel, posted, isOwnerTold };
    }),
  );
}
