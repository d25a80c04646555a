import { HTTPReceiver, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../log.ts';
import { fetchWithoutRefusedPictures } from '../message.ts';
import type { SlackConnection } from '../slack-connection.ts';
import type { RecordSharedArrivals, StoredArrivals } from './arrivals.ts';
import { createSignedRequestListener } from './signed-requests.ts';
import { createSocketConnection } from './socket-connection.ts';

/** Time limit for one call to Slack. A person may be waiting for the result. */
const MAX_SLACK_CALL_MS = 10_000;

/** Creates the options of all clients of Slack's Web API. */
export function createClientOptions(apiUrl: string | undefined, logger: Logger): WebClientOptions {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    logger,
    // A retry could send a message twice, and waiting after a 429 would delay all other calls.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: MAX_SLACK_CALL_MS,
    fetch: fetchWithoutRefusedPictures,
  };
}

interface TransportOptions {
  slack: SlackConnection;
  log: Log;
  onFatal?: (reason: Error) => void;
  /** See SignedRequestsOptions. */
  share?: RecordSharedArrivals;
  storedArrivals?: StoredArrivals;
  onSlackRequest?: Parameters<typeof createSignedRequestListener>[0]['onResult'];
}

/** Creates Bolt's receiver, for Socket Mode with our own reconnection, or for HTTP with our own signature check. */
export function createTransport(
  { slack, log, onFatal, share, storedArrivals, onSlackRequest }: TransportOptions,
  logger: Logger,
  clientOptions: WebClientOptions,
) {
  if (slack.kind !== 'socket') {
    const { signingSecret } = slack;
    // The receiver doesn't check signatures, because requests have passed our own, stricter check.
    const receiver = new HTTPReceiver({ signingSecret, logger, signatureVerification: false });
    const onError = (error: unknown) =>
      log.warn({ err: error }, 'could not look up or store arrivals of requests');
    const { requestListener: handle } = receiver;
    const requestListener = createSignedRequestListener({
      signingSecret,
      handle,
      share,
      storedArrivals,
      onError,
      onResult: onSlackRequest,
    });
    return { receiver, requestListener };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger,
    autoReconnectEnabled: false,
    // Passes a copy, because the client of the socket changes the object.
    installerOptions: { clientOptions: { ...clientOptions } },
  });
  const { client } = receiver;
  return {
    receiver,
    connection: createSocketConnection({ client, log, onFatal: onFatal ?? (() => undefined) }),
  };
}
