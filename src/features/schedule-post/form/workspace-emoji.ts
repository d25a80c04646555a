import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Call } from '../../../app/call.ts';

/** A list is not older than this, ms: emoji come and go. */
const FRESH_MS = 60_000;

/** A form's acknowledgement does not wait longer; then it is guessed which codes are emoji. */
const WAIT_MS = 600;

interface Remembered {
  readAt: number;
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Each workspace has a client of its own, for as long as its token holds. */
const remembered = new WeakMap<WebClient, Remembered>();

/** The names of a workspace's own emoji, without colons; undefined where Slack does not say, or not in time. */
export async function workspaceEmoji(call: Call): Promise<ReadonlySet<string> | undefined> {
  const known = remembered.get(call.client);
  const isFresh = known !== undefined && call.receivedAt - known.readAt < FRESH_MS;
  const { names } = isFresh ? known : read(call);
  return Promise.race([names, delay(WAIT_MS, undefined, { ref: false })]);
}

function read(call: Call): Remembered {
  const reading = { readAt: call.receivedAt, names: listed(call) };
  remembered.set(call.client, reading);
  return reading;
}

async function listed({ client, log, reference }: Call): Promise<ReadonlySet<string> | undefined> {
  try {
    const { emoji } = await client.emoji.list();
    return new Set(Object.keys(emoji ?? {}));
  } catch (error) {
    // The right to it was not given, or Slack is busy.
    log.debug({ reference, reason: String(error) }, 'the workspace’s emoji could not be listed');
    return undefined;
  }
}
