import { randomUUID } from 'node:crypto';
import { App, type AppOptions, type Logger, LogLevel, type ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { inert } from '../message.ts';
import { unwrapError } from './failure.ts';
import { showOnTop } from './interactions.ts';
import { respond } from './response-url.ts';
import { kindOf } from './unknown-request.ts';

const PROBLEM = 'Something went wrong on my side';

interface AnsweringOptions {
  log: Log;
  apiUrl?: string | undefined;
  /**
   * Runs before Bolt acknowledges an event, which Bolt does before any listener. If this rejects, the event isn't
   * acknowledged (HTTP answers 500, Socket Mode sends nothing), so Slack sends it again.
   */
  before?(body: unknown): Promise<void>;
}

/**
 * A Bolt app that answers every request. Bolt itself drops unknown requests, and sends an empty acknowledgement if
 * `authorize` or middleware throws. This app answers with a message if handling fails before the acknowledgement.
 *
 * A submission never gets an empty acknowledgement, because that closes the form and loses its content. A handler that
 * wants to close all forms answers with `response_action: 'clear'`.
 */
export class AnsweringApp extends App {
  readonly #options: AnsweringOptions;

  constructor(options: AppOptions, answering: AnsweringOptions) {
    super(options);
    this.#options = answering;
    // Otherwise Bolt would send an empty acknowledgement. `processEvent` handles the error.
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
      const text = notHandledText(PROBLEM, body, reference);
      try {
        await answerWithoutToken(body, ack, { text, apiUrl });
      } catch (error) {
        log.error({ ...facts, err: error }, 'could not deliver the response to Slack');
      }
    };
    const guardedAck: ReceiverEvent['ack'] = async (response) => {
      if (!isEmpty(response) || !isSubmission(body)) return ack(response);
      log.error(facts, 'submission acknowledged without an answer');
      await answerProblem();
    };
    try {
      await super.processEvent({ ...event, ack: guardedAck });
    } catch (error) {
      log.error({ ...facts, err: unwrapError(error) }, 'request failed before it was handled');
      if (!acknowledged) await answerProblem();
      return;
    }
    if (acknowledged) return;
    if (isSubmission(body)) await guardedAck();
    else await event.ack();
  }
}

function isEmpty(response: unknown): boolean {
  if (typeof response === 'object' && response !== null) return Object.keys(response).length === 0;
  return response === undefined || response === null || response === '';
}

const answerable = z.looseObject({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response_url: z.string().optional().catch(undefined),
});

/**
 * Answers a request without a bot token, in the form that its kind allows. A submitted form stays open underneath with
 * its content. Mentions and other events get no answer, because that would need a token.
 */
export async function answerWithoutToken(
  body: unknown,
  ack: (payload?: unknown) => Promise<void>,
  { text, apiUrl }: { text: string; apiUrl: string | undefined },
): Promise<void> {
  const { data = {} } = answerable.safeParse(body);
  if (data.command !== undefined) return ack({ ...inert({ text }), response_type: 'ephemeral' });
  if (isSubmission(body)) return ack(showOnTop(text));
  if (data.type?.endsWith('_suggestion')) return ack({ options: [] });
  await ack();
  if (data.response_url !== undefined) await respond(data.response_url, { text }, { replace: false, apiUrl });
}

function isSubmission(body: unknown): boolean {
  return kindOf(body) === 'view_submission';
}

/** Copy for a request that was not handled. `problem`: the beginning of a sentence. */
export function notHandledText(problem: string, body: unknown, reference: string): string {
  return isSubmission(body)
    ? `${problem}, so nothing was sent. Your form is still here: go back and submit it again in a minute. Reference: ${reference}`
    : `${problem}, so nothing was done. Please try again in a minute. Reference: ${reference}`;
}

/**
 * Writes the log lines of Bolt and its clients to our log. Debug lines are dropped at every level, because they contain
 * whole payloads with tokens and text from people.
 */
export function boltLog(log: Log): Logger {
  const line = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts: unknown[]) => log.debug({ from: 'bolt' }, line(parts)),
    warn: (...parts: unknown[]) => log.warn({ from: 'bolt' }, line(parts)),
    error: (...parts: unknown[]) => log.error({ from: 'bolt' }, line(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
