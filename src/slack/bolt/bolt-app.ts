import { randomUUID } from 'node:crypto';
import { App, type AppOptions, type Logger, LogLevel, type ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { inert } from '../message.ts';
import { original } from './failure.ts';
import { onTop } from './interactions.ts';
import { respond } from './response-url.ts';
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

const asked = z.looseObject({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response_url: z.string().optional().catch(undefined),
});

/**
 * Answers a request by what the request itself allows, in the form that its kind takes. A submission's form stays
 * underneath with every word; a mention or another event gets no answer.
 */
export async function answerWithoutToken(
  body: unknown,
  ack: (payload?: unknown) => Promise<void>,
  { text, apiUrl }: { text: string; apiUrl: string | undefined },
): Promise<void> {
  const { data = {} } = asked.safeParse(body);
  if (data.command !== undefined) return ack({ ...inert({ text }), response_type: 'ephemeral' });
  if (isSubmission(body)) return ack(onTop(text));
  if (data.type?.endsWith('_suggestion')) return ack({ options: [] });
  await ack();
  if (data.response_url !== undefined) await respond(data.response_url, { text }, { replace: false, apiUrl });
}

function isSubmission(body: unknown): boolean {
  return kindOf(body) === 'view_submission';
}

/** What people read where nothing was done about their request. `problem` is the beginning of a sentence. */
export function nothingDone(problem: string, body: unknown, reference: string): string {
  return isSubmission(body)
    ? `${problem}, so nothing was sent. Your form is still here: go back and submit it again in a minute. Reference: ${reference}`
    : `${problem}, so nothing was done. Please try again in a minute. Reference: ${reference}`;
}

/**
 * Bolt's and its clients' lines in our log. Their debug lines hold whole payloads, words of people and tokens among
 * them, so those are dropped whatever the level.
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
