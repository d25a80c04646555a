import type { SlackCall } from './fetch-people.ts';
import { disableParsing, type Message } from './message.ts';
import type { MessageAddress } from './notify-once.ts';

/**
 * Sends a message about a change that is stored already, or about work that goes on. A failure is logged as `failure`,
 * and resolves with undefined. `to`: the person's Slack id, or the id of a conversation.
 */
export async function sendOrLog(
  { client, log, reference }: SlackCall,
  to: string,
  message: Message,
  failure: string,
): Promise<MessageAddress | undefined> {
  try {
    const { channel = to, ts = '' } = await client.chat.postMessage({
      channel: to,
      ...disableParsing(message),
    });
    return { channel, ts };
  } catch (error) {
    log.warn({ reference, to, err: error }, failure);
    return undefined;
  }
}

/** Updates a message that says how work goes on. A failure is logged as `failure`. */
export async function updateOrLog(
  { client, log, reference }: SlackCall,
  address: MessageAddress,
  message: Message,
  failure: string,
): Promise<void> {
  try {
    await client.chat.update({ ...address, ...disableParsing(message) });
  } catch (error) {
    log.warn({ reference, err: error }, failure);
  }
}
