import { App, type ReceiverEvent } from '@slack/bolt';

/**
 * Bolt drops what it does not know without a word, and Slack would wait for an answer and show an error: whatever
 * nothing has acknowledged by the end is acknowledged here.
 */
export class AnsweringApp extends App {
  override async processEvent(event: ReceiverEvent): Promise<void> {
    let acknowledged = false;
    const ack: ReceiverEvent['ack'] = async (response) => {
      acknowledged = true;
      await event.ack(response);
    };
    await super.processEvent({ ...event, ack });
    if (!acknowledged) await event.ack();
  }
}
