import type { WebClient } from '@slack/web-api';
import { inert, type Message } from './message.ts';

/** A direct message to each of them, by their ids. */
export async function notifyUsers(
  client: WebClient,
  people: readonly string[],
  message: Message,
): Promise<void> {
  for (const channel of people) await client.chat.postMessage({ channel, ...inert(message) });
}
