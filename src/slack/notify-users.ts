import type { WebClient } from '@slack/web-api';
import { inert, type Message } from './message.ts';

/** Sends a direct message to each person. `people`: Slack user ids. */
export async function notifyUsers(
  client: WebClient,
  people: readonly string[],
  message: Message,
): Promise<void> {
  for (const channel of people) await client.chat.postMessage({ channel, ...inert(message) });
}
