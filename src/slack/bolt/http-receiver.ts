import type { ServerResponse } from 'node:http';
import type { Receiver } from '@slack/bolt';
import type { Log } from '../log.ts';
import type { TimedEvent } from './bolt-app.ts';
import type { VerifiedRequest } from './signed-requests.ts';

/**
 * Creates Bolt's receiver for HTTP. `handle` gets a verified request. Bolt's own receiver would parse the body again, and
 * would send a response in several pieces.
 */
export function createHttpReceiver(log: Log) {
  let app: { processEvent(event: TimedEvent): Promise<void> } | undefined;
  const receiver: Receiver = {
    init(bolt) {
      app = bolt;
    },
    start: async () => undefined,
    stop: async () => undefined,
  };
  const handle = ({ body, arrivedAt }: VerifiedRequest, response: ServerResponse): void => {
    const ack = async (payload?: unknown) => sendResponse(response, payload);
    if (body.ssl_check === '1') sendResponse(response, undefined);
    else if (body.type === 'url_verification') sendResponse(response, { challenge: body.challenge });
    else
      app
        ?.processEvent({ body, ack, arrivedAt, refuse: () => refuse(response, 503) })
        .catch((error: unknown) => {
          log.error({ err: error }, 'request could not be processed');
          refuse(response, 500);
        });
  };
  return { receiver, handle };
}

/** Slack sends an event again after this response. */
function refuse(response: ServerResponse, status: 500 | 503): void {
  if (!response.headersSent) response.writeHead(status, { 'content-length': 0 });
  response.end();
}

/**
 * Sends an acknowledgement: nothing, a text, or JSON. With its length in the head, head and body are written at once. An
 * acknowledgement after the deadline is dropped.
 */
function sendResponse(response: ServerResponse, payload: unknown): void {
  if (response.headersSent) return;
  const isText = typeof payload === 'string';
  const text = isText ? payload : payload === undefined || payload === null ? '' : JSON.stringify(payload);
  const type = isText || text === '' ? {} : { 'content-type': 'application/json' };
  response.writeHead(200, { ...type, 'content-length': Buffer.byteLength(text) });
  response.end(text === '' ? undefined : text);
}
