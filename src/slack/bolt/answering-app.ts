import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';

/**
 * Bolt drops what it does not know without a word, and Slack would wait for an answer and show an error: whatever
 * nothing has acknowledged by the end is acknowledged here.
 */
export class AnsweringApp extends App {
  readonly #before: (body: unknown) => Promise<void>;

  /**
   * Bolt acknowledges an event before any listener runs; `before` runs earlier. Where it rejects, nothing is acknowledged
   * (HTTP answers 500, Socket Mode nothing), and Slack sends the event again.
   */
  constructor(options: AppOptions, before: (body: unknown) => Promise<void>) {
    super(options);
    this.#before = before;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    await this.#before(event.body);
    let acknowledged = false;
    const ack: ReceiverEvent['ack'] = async (response) => {
      acknowledged = true;
      await event.ack(response);
    };
    await super.processEvent({ ...event, ack });
    if (!acknowledged) await event.ack();
  }
}
