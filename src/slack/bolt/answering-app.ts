import { randomUUID } from 'node:crypto';
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Log } from '../log.ts';
import { answerWithoutToken, isSubmission, nothingDone } from './answer-without-token.ts';
import { original } from './failure.ts';
import { kindOf } from './unknown-request.ts';

const PROBLEM = 'Something went wrong on my side';

interface AnsweringOptions {
  log: Log;
  apiUrl?: string | undefined;
  /**
   * Runs before Bolt acknowledges an event, which it does before any listener. Where it rejects, nothing is acknowledged
   * (HTTP answers 500, Socket Mode nothing), and Slack sends the event again.
   */
  before?(body: unknown): Promise<void>;
}

/**
 * Bolt drops requests that it does not know, and acknowledges with nothing where `authorize` or middleware throws.
 * Here every request gets an answer: one that nothing has acknowledged by the end, or whose handling threw, is
 * answered in words.
 *
 * An empty acknowledgement closes a form and loses its text, so a submission never gets one. A handler that wants all
 * forms closed answers with `response_action: 'clear'`.
 */
export class AnsweringApp extends App {
  readonly #options: AnsweringOptions;

  constructor(options: AppOptions, answering: AnsweringOptions) {
    super(options);
    this.#options = answering;
    // Bolt would go on to acknowledge with nothing: the error is dealt with in `processEvent`.
    this.error(async (error) => {
      throw error;
    });
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { body } = event;
    const { log, apiUrl, before } = this.#options;
    await before?.(body);
    const reference = randomUUID().slice(0, 8);
    const facts = { reference, kind: kindOf(body) };
    let acknowledged = false;
    const ack: ReceiverEvent['ack'] = async (response) => {
      acknowledged = true;
      await event.ack(response);
    };
    const answerProblem = async () => {
      const text = nothingDone(PROBLEM, body, reference);
      try {
        await answerWithoutToken(body, ack, { text, apiUrl });
      } catch (error) {
        log.error({ ...facts, err: error }, 'could not deliver the response to Slack');
      }
    };
    const guarded: ReceiverEvent['ack'] = async (response) => {
      if (!isEmpty(response) || !isSubmission(body)) return ack(response);
      log.error(facts, 'submission acknowledged without an answer');
      await answerProblem();
    };
    try {
      await super.processEvent({ ...event, ack: guarded });
    } catch (error) {
      log.error({ ...facts, err: original(error) }, 'request failed before it was handled');
      if (!acknowledged) await answerProblem();
      return;
    }
    if (acknowledged) return;
    if (isSubmission(body)) await guarded();
    else await event.ack();
  }
}

function isEmpty(response: unknown): boolean {
  if (typeof response === 'object' && response !== null) return Object.keys(response).length === 0;
  return response === undefined || response === null || response === '';
}
