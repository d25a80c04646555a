import type { Receiver } from '@slack/bolt';
import type { Log } from '../log.ts';
import type { TimedEvent } from './bolt-app.ts';
import type { Respond, SlackResponse, VerifiedRequest } from './signed-requests.ts';

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
