import { randomUUID } from 'node:crypto';
import { App, type Logger, LogLevel, type Receiver, type ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import { isEvent } from '../../slack/actor.ts';
import type { Log } from '../../slack/log.ts';
import { buildFailureMessage, disableParsing, type Message } from '../../slack/message.ts';
import { buildMessageResponse } from '../../slack/message-view.ts';
import type { Pace } from '../../submissions/pace.ts';
import { unwrapError } from './failure.ts';
import { buildUnknownResponse, findPayloadType, logUnknownRequest } from './interactions.ts';
import { parseRequest } from './payloads.ts';
import { respond } from './view-replies.ts';

/** A request from Slack, and what was noted when it arrived. */
export interface Incoming {
  body: unknown;
  ack: (payload?: unknown) => Promise<void>;
  /** When the request arrived, in ms of `performance.now()`. */
  arrivedAt: number;
  /** When Slack sent the request, ms since the epoch on its clock, in whole seconds. Undefined in Socket Mode. */
  sentAt?: number | undefined;
}

/** `arrivedAt` defaults to now. */
export interface TimedEvent extends ReceiverEvent, Partial<Pick<Incoming, 'arrivedAt' | 'sentAt'>> {
  /** Responds that the request was not acknowledged in time. Socket Mode has no such response. */
  refuse?: () => void;
}

/** After the router's own deadline, when it acknowledges with a response for the actor, and before Slack's 3 s. */
const FALLBACK_EXTRA_MS = 200;

interface ResponseOptions {
  log: Log;
  pace: Pick<Pace, 'acknowledgementDeadlineMs'>;
  apiUrl?: string | undefined;
  /** Handles a request. The app acknowledges what this doesn't, except an event for which this rejects. */
  handle(incoming: Incoming): Promise<void>;
  /**
   * Runs before the request is acknowledged. If this function rejects, the request isn't acknowledged (HTTP responds
   * with 500, Socket Mode sends nothing), so Slack sends an event again.
   */
  beforeProcessing?(body: unknown): Promise<void>;
}

/**
 * A Bolt app that responds to every request, and passes it to `handle`. Bolt itself drops unknown requests, and sends an
 * empty acknowledgement if its authorization or a middleware fails. It would also create a client for each workspace
 * and never drop it. This app responds with a message if a request fails before its acknowledgement.
 *
 * A submission never gets an empty acknowledgement, because that closes the form and loses its content. To close all
 * forms, a handler responds with `response_action: 'clear'`.
 */
export class RespondingApp extends App {
  readonly #options: ResponseOptions;

  constructor(receiver: Receiver, logger: Logger, options: ResponseOptions) {
    // Bolt requires an authorization, but it isn't used, because `handle` looks up the bot of each request.
    super({ receiver, logger, convoStore: false, ignoreSelf: false, authorize: async () => ({}) });
    this.#options = options;
  }

  override async processEvent(event: TimedEvent): Promise<void> {
    const { body, arrivedAt = performance.now(), sentAt, refuse } = event;
    const onLate = () => {
      this.#options.log.error({ kind: findPayloadType(body) }, 'request not acknowledged in time');
      refuse?.();
    };
    const deadline = arrivedAt + this.#options.pace.acknowledgementDeadlineMs + FALLBACK_EXTRA_MS;
    const timer = setTimeout(onLate, deadline - performance.now());
    const ack: ReceiverEvent['ack'] = (response) => {
      clearTimeout(timer);
      return event.ack(response);
    };
    try {
      await this.#process({ body, ack, arrivedAt, sentAt });
    } finally {
      clearTimeout(timer);
    }
  }

  async #process(event: Incoming & Pick<ReceiverEvent, 'ack'>): Promise<void> {
    const { body, arrivedAt, sentAt } = event;
    const { log, apiUrl, beforeProcessing, handle } = this.#options;
    await beforeProcessing?.(body);
    const reference = randomUUID().slice(0, 8);
    const fields = { reference, kind: findPayloadType(body) };
    let isAcknowledged = false;
    const ack: ReceiverEvent['ack'] = async (response) => {
      isAcknowledged = true;
      await event.ack(response);
    };
    const respondWithProblem = async () => {
      const message = buildNotHandledMessage('Something went wrong on my side', body, reference);
      try {
        await respondWithoutToken(body, ack, { message, apiUrl });
      } catch (error) {
        log.error({ ...fields, err: error }, 'could not deliver the response to Slack');
      }
    };
    const guardedAck: ReceiverEvent['ack'] = async (response) => {
      if (!isEmpty(response) || !isSubmission(body)) return ack(response);
      log.error(fields, 'submission acknowledged with an empty response');
      await respondWithProblem();
    };
    try {
      await handle({ body, ack: guardedAck, arrivedAt, sentAt });
    } catch (error) {
      if (!isAcknowledged && !parseRequest(body)) {
        // The router answers other malformed requests in the same way.
        logUnknownRequest(log, body, { reference, err: unwrapError(error) });
        return event.ack(buildUnknownResponse(body));
      }
      if (!isAcknowledged && isEvent(body)) throw error;
      log.error({ ...fields, err: unwrapError(error) }, 'request failed before its handler');
      if (!isAcknowledged) await respondWithProblem();
      return;
    }
    if (isAcknowledged) return;
    if (isSubmission(body)) await guardedAck();
    else await event.ack();
  }
}

function isEmpty(response: unknown): boolean {
  if (typeof response === 'object' && response !== null) return Object.keys(response).length === 0;
  return response === undefined || response === null || response === '';
}

const responseFields = z.looseObject({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response_url: z.string().optional().catch(undefined),
});

/**
 * Responds without using a bot token. The form of the response depends on the kind of request. For a submission, the
 * response is a view on top of the form, which keeps its content. Mentions and other events get no response, because
 * that would need a token.
 */
export async function respondWithoutToken(
  body: unknown,
  ack: (payload?: unknown) => Promise<void>,
  { message, apiUrl }: { message: Message; apiUrl: string | undefined },
): Promise<void> {
  const { data = {} } = responseFields.safeParse(body);
  if (data.command !== undefined) return ack({ ...disableParsing(message), response_type: 'ephemeral' });
  if (isSubmission(body)) return ack(buildMessageResponse(body, message));
  if (data.type?.endsWith('_suggestion')) return ack({ options: [] });
  await ack();
  if (data.response_url !== undefined) await respond(data.response_url, message, { replace: false, apiUrl });
}

function isSubmission(body: unknown): boolean {
  return findPayloadType(body) === 'view_submission';
}

/** Builds the message about a request that was not handled. `problem` is the beginning of a sentence. */
export function buildNotHandledMessage(problem: string, body: unknown, reference: string): Message {
  const text = isSubmission(body)
    ? `${problem}, so nothing was sent. Your form is still here: go back and submit it again in a minute.`
    : `${problem}, so nothing was done. Please try again in a minute.`;
  return buildFailureMessage(text, reference);
}

/**
 * Slack's response while it still processes an uploaded picture. The message with the picture is then sent again, so this
 * is no error (https://github.com/slackapi/python-slack-sdk/issues/1658).
 */
const UNPROCESSED_FILE = /^invalid slack file\b/;

/**
 * What is logged of a line: what the SDK itself writes (`logger.` in the sources of @slack/web-api and @slack/socket-mode),
 * and Slack's codes of warnings. The rest of a line, and any other line, may be Slack's text about a request, which may
 * quote it.
 */
const LOGGED_LINES = [
  UNPROCESSED_FILE,
  /^A p[io]ng wasn't received from the server before the timeout of \d+ms/,
  /^API Call failed due to rate limiting\. Will retry in \d+ seconds/,
  /^Failed to (?:retrieve a new WSS URL|send ping to Slack|send a (?:WebSocket )?message)/,
  /^Peer did not complete the close handshake in time/,
  /^WebSocket (?:error|not available)/,
  /^http request failed/,
  /^[a-z_]{1,64}$/,
];

/**
 * Creates a logger that writes the log lines of Bolt and its clients to our log. It always drops debug lines, because
 * they contain whole payloads with tokens and text from people.
 */
export function createBoltLogger(log: Log): Logger {
  const write = (level: 'debug' | 'warn' | 'error', parts: unknown[]) => {
    const text = String(parts[0]);
    const [line = 'line of Slack’s client'] = LOGGED_LINES.flatMap((pattern) => pattern.exec(text) ?? []);
    const error = parts.find((part) => part instanceof Error);
    const isExpected = UNPROCESSED_FILE.test(text);
    log[isExpected ? 'debug' : level]({ from: 'bolt', ...(error && { err: error }) }, line);
  };
  return {
    debug: () => undefined,
    info: (...parts: unknown[]) => write('debug', parts),
    warn: (...parts: unknown[]) => write('warn', parts),
    error: (...parts: unknown[]) => write('error', parts),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
