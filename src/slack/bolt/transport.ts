import { HTTPReceiver, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../log.ts';
import type { SlackConnection } from '../slack-connection.ts';
import type { ShareArrivals, StoredArrivals } from './arrivals.ts';
import { createSignedRequestListener } from './signed-requests.ts';
import { createSocketConnection } from './socket-connection.ts';

/** Time limit for one call to Slack, for which a person waits. */
const SLACK_CALL_MS = 10_000;

export function clientOptionsFor(apiUrl: string | undefined, logger: Logger): WebClientOptions {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    logger,
    // A retry could send a message twice, and waiting after a 429 would delay all other calls.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: SLACK_CALL_MS,
  };
}

interface TransportOptions {
  slack: SlackConnection;
  log: Log;
  onFatal?: (reason: Error) => void;
  /** See SignedRequestsOptions. */
  share?: ShareArrivals;
  kept?: StoredArrivals;
  onSlackRequest?: Parameters<typeof createSignedRequestListener>[0]['onAnswer'];
}

/** Creates Bolt's receiver for Socket Mode or HTTP, with our own reconnection or signature check. */
export function createTransport(
  { slack, log, onFatal, share, kept, onSlackRequest }: TransportOptions,
  logger: Logger,
  clientOptions: WebClientOptions,
) {
  if (slack.kind !== 'socket') {
    const { signingSecret } = slack;
    // Requests have passed our own, stricter check before they reach the receiver.
    const receiver = new HTTPReceiver({ signingSecret, logger, signatureVerification: false });
    const onError = (error: unknown) =>
      log.warn({ err: error }, 'request arrivals could not be looked up or stored');
    const { requestListener: next } = receiver;
    const requestListener = createSignedRequestListener({
      signingSecret,
      next,
      share,
      kept,
      onError,
      onAnswer: onSlackRequest,
    });
    return { receiver, requestListener };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger,
    autoReconnectEnabled: false,
    // A copy, because the socket's client changes the object.
    installerOptions: { clientOptions: { ...clientOptions } },
  });
  const { client } = receiver;
  return {
    receiver,
    connection: createSocketConnection({ client, log, onFatal: onFatal ?? (() => undefined) }),
  };
}
