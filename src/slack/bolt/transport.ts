import { HTTPReceiver, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../log.ts';
import type { SlackConnection } from '../slack-connection.ts';
import type { KeptArrivals, ShareArrivals } from './arrivals.ts';
import { signedRequests } from './signed-requests.ts';
import { socketConnection } from './socket-connection.ts';

/** One call to Slack; a person waits for it (ms). */
const SLACK_CALL_MS = 10_000;

export function clientOptionsFor(apiUrl: string | undefined, logger: Logger): WebClientOptions {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    logger,
    // Repeating what creates a message makes two of it, and a 429 would hold up every other call.
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
  kept?: KeptArrivals;
  onSlackRequest?: Parameters<typeof signedRequests>[0]['onAnswer'];
}

/** How Slack reaches us: Bolt's own receivers, with what they leave open done here. */
export function transport(
  { slack, log, onFatal, share, kept, onSlackRequest }: TransportOptions,
  logger: Logger,
  clientOptions: WebClientOptions,
) {
  if (slack.kind !== 'socket') {
    const { signingSecret } = slack;
    // Every request has passed our own check by then, which is the stricter one.
    const receiver = new HTTPReceiver({ signingSecret, logger, signatureVerification: false });
    const onTrouble = (error: unknown) =>
      log.warn({ err: error }, 'it could not be found out, or kept, whether a request had come before');
    const { requestListener: next } = receiver;
    const requestListener = signedRequests({
      signingSecret,
      next,
      share,
      kept,
      onTrouble,
      onAnswer: onSlackRequest,
    });
    return { receiver, requestListener };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger,
    autoReconnectEnabled: false,
    // A copy: the socket's client changes what it is given.
    installerOptions: { clientOptions: { ...clientOptions } },
  });
  const { client } = receiver;
  return { receiver, connection: socketConnection({ client, log, onFatal: onFatal ?? (() => undefined) }) };
}
