import type { WebClient } from '@slack/web-api';
import { disableParsing, type Message } from './message.ts';

/** Sends a direct message to each user. */
export async function notifyUsers(
  client: WebClient,
  userIds: readonly string[],
  message: Message,
): Promise<void> {
  for (const channel of userIds) await client.chat.postMessage({ channel, ...disableParsing(message) });
}
