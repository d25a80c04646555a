import type { WebClient } from '@slack/web-api';
import type { Log } from './log.ts';
import { disableParsing, type Message } from './message.ts';

/**
 * Sends a message about a change that is stored already, or about work that goes on. A failure is logged as `failure`,
 * and resolves with false. `to`: the person's Slack id, or the id of a conversation.
 */
export async function sendOrLog(
  { client, log, reference }: { client: WebClient; log: Log; reference: string },
  to: string,
  message: Message,
  failure: string,
): Promise<boolean> {
  try {
    await client.chat.postMessage({ channel: to, ...disableParsing(message) });
    return true;
  } catch (error) {
    log.warn({ reference, to, err: error }, failure);
    return false;
  }
}
