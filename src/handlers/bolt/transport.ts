import { setTimeout as delay } from 'node:timers/promises';
import { type App, type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import { request } from 'undici';
import { MINUTE_MS } from '../../durations.ts';
import type { Log } from '../../slack/log.ts';
import { fetchWithoutRefusedPictures } from '../../slack/message.ts';
import type { SlackConnection } from '../../slack/slack-connection.ts';
import { TextResponse } from '../../text-response.ts';
import type { TimedEvent } from './bolt-app.ts';
import {
  createSignedRequestListener,
  type Respond,
  type SlackResponse,
  type VerifiedRequest,
} from './signed-requests.ts';
import { createSocketConnection, type SocketClient, withRefreshes } from './socket-connection.ts';

/** Time limit for one call to Slack. A person may be waiting for the result. */
const MAX_SLACK_CALL_MS = 10_000;

/** Maximum Retry-After for which a call waits. A person may be waiting for the result. */
const MAX_RETRY_AFTER_MS = 2_000;

/** The Web API methods with which Upnext only reads. */
const READ_METHOD = /\.(?:conversations|history|info|list|lookupByEmail|members|replies|test)$/;

/** The network between the SDK and Slack. */
export type SendToSlack = (...call: Parameters<FetchFunction>) => Promise<Response>;

/** Sends a call of the SDK to Slack. `fetch` takes four times the CPU time for it, so it sends only files. */
export const sendToSlack: SendToSlack = async (url, init = {}) => {
  const { body, signal, headers } = init;
  if (typeof body !== 'string') {
    const response = await fetch(url, init);
    return new TextResponse(await response.text(), response);
  }
  const response = await request(url, {
    method: 'POST',
    ...(headers && { headers }),
    body,
    ...(signal && { signal }),
  });
  const { statusCode: status } = response;
  const text = await response.body.text();
  // As `fetch` does for the SDK.
  if (status >= 300 && status < 400) throw new Error(`Slack redirects the call (${status})`);
  return new TextResponse(text, {
    status,
    headers: Object.entries(response.headers).flatMap(([name, value = []]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  });
};

/** Repeats a call once: after a short Retry-After, or a read after a broken connection or an HTTP error. */
async function sendWithOneRetry(
  sendCall: SendToSlack,
  ...call: Parameters<FetchFunction>
): Promise<Response> {
  const [url, { signal } = {}] = call;
  const isRead = READ_METHOD.test(new URL(url).pathname);
  const response = await sendCall(...call).catch((error: unknown) => {
    if (isRead && !signal?.aborted) return undefined;
    throw error;
  });
  const waitMs = response?.status === 429 ? Number(response.headers.get('retry-after') ?? NaN) * 1000 : 0;
  const isRefused = response?.status === 429 && waitMs <= MAX_RETRY_AFTER_MS;
  const isFailedRead = isRead && (response === undefined || response.status >= 500);
  if (response && !isRefused && !isFailedRead) return response;
  await delay(waitMs, undefined, signal ? { signal } : {});
  return sendCall(...call);
}

/** Creates the options of all clients of Slack's Web API. `sendCall` replaces the network. */
export function createClientOptions(
  apiUrl: string | undefined,
  logger: Logger,
  sendCall: SendToSlack = sendToSlack,
): WebClientOptions {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    logger,
    // The SDK's retries could send a message twice, and its wait after a 429 would delay all other calls.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (url, init) =>
      withTimeLimit((signal) =>
        fetchWithoutRefusedPictures((...call) => sendWithOneRetry(sendCall, ...call), url, {
          ...init,
          signal,
        }),
      ),
  };
}

/** Aborts a call after MAX_SLACK_CALL_MS. The SDK's `timeout` would go on, and create an error ten seconds later. */
async function withTimeLimit<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`Slack didn’t answer within ${MAX_SLACK_CALL_MS} ms`));
  const timer = setTimeout(abort, MAX_SLACK_CALL_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

interface TransportOptions {
  slack: SlackConnection;
  log: Log;
  onFatal?: (reason: Error) => void;
  /** See SignedRequestsOptions. */
  onSlackRequest?: Parameters<typeof createSignedRequestListener>[0]['onResult'];
}

/** Creates Bolt's receiver, for Socket Mode with our own reconnection, or for HTTP with our own signature check. */
export function createTransport(
  { slack, log, onFatal, onSlackRequest }: TransportOptions,
  logger: Logger,
  clientOptions: WebClientOptions,
) {
  if (slack.kind !== 'socket') {
    const { signingSecret } = slack;
    const { receiver, handle } = createHttpReceiver(log);
    const requestListener = createSignedRequestListener({
      signingSecret,
      handle,
      onResult: onSlackRequest,
      onWrongTime: createWrongTimeLog(log),
    });
    return { receiver, requestListener };
  }
  let app: App | undefined;
  const receiver: Receiver = {
    init(bolt) {
      app = bolt;
    },
    start: async () => undefined,
    stop: async () => undefined,
  };
  const createClient = (): SocketClient => {
    const socket = new SocketModeReceiver({
      appToken: slack.appToken,
      logger,
      autoReconnectEnabled: false,
      processEventErrorHandler: async ({ error }) => {
        log.error({ err: error }, 'request could not be processed');
        // Without an acknowledgement, Slack sends an event again.
        return false;
      },
      // Passes a copy, because the client of the socket changes the object.
      installerOptions: { clientOptions: { ...clientOptions } },
    });
    if (app) socket.init(app);
    const { client } = socket;
    client.on('slack_event', () => onSlackRequest?.('taken'));
    return withRefreshes(client);
  };
  return {
    receiver,
    connection: createSocketConnection({
      ...{ createClient, log },
      onFatal: onFatal ?? (() => undefined),
    }),
  };
}

/**
 * Creates a function that logs, once a minute, that Slack's signature is right and its time isn't. A request that somebody
 * has recorded looks the same, but then others are taken.
 */
function createWrongTimeLog(log: Log): (aheadSeconds: number) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (secondsAhead) => {
    if (performance.now() - loggedAt < MINUTE_MS) return;
    loggedAt = performance.now();
    log.error({ secondsAhead }, 'signed request refused because of its time; check the clock');
  };
}

/** Creates Bolt's receiver for HTTP. `handle` gets a verified request, which Bolt's own would parse again. */
export function createHttpReceiver(log: Log) {
  let app: { processEvent(event: TimedEvent): Promise<void> } | undefined;
  const receiver: Receiver = {
    init(bolt) {
      app = bolt;
    },
    start: async () => undefined,
    stop: async () => undefined,
  };
  const handle = ({ body, arrivedAt, sentAt }: VerifiedRequest, respond: Respond): void => {
    const ack = async (payload?: unknown) => respond(createAcknowledgement(payload));
    if (body.ssl_check === '1') respond({ status: 200 });
    else if (body.type === 'url_verification') respond(createAcknowledgement({ challenge: body.challenge }));
    else
      app
        ?.processEvent({ body, ack, arrivedAt, sentAt, refuse: () => respond({ status: 503 }) })
        .catch((error: unknown) => {
          log.error({ err: error }, 'request could not be processed');
          // Slack sends an event again after this response.
          respond({ status: 500 });
        });
  };
  return { receiver, handle };
}

/** Creates the response of an acknowledgement: nothing, a text, or JSON. */
function createAcknowledgement(payload: unknown): SlackResponse {
  if (payload === undefined || payload === null) return { status: 200 };
  if (typeof payload === 'string') return { status: 200, body: payload };
  return { status: 200, body: JSON.stringify(payload), isJson: true };
}
