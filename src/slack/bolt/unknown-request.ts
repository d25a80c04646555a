import type { WebClient } from '@slack/web-api';
import type { Log } from '../log.ts';
import { buildPushResponse } from './interactions.ts';
import { buildOutdatedMessage } from './outdated.ts';

/** Builds the acknowledgement of an unknown request from the kind of the request. */
export function buildUnknownResponse(kind: string): object | undefined {
  // An empty acknowledgement would close the form and lose its content.
  if (kind === 'view_submission') return buildPushResponse(buildOutdatedMessage().text);
  return kind.endsWith('_suggestion') ? { options: [] } : undefined;
}

/** Returns the `type` of a payload. If there is none, returns the JavaScript type of the payload. */
export function getPayloadType(body: unknown): string {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return typeof type === 'string' ? type : typeof body;
}

/** Minimum time between two attempts to look up our own app id. */
const LOOKUP_INTERVAL_MS = 10 * 60 * 1000;

/**
 * Creates a filter for requests that belong to another app (`api_app_id`) but were sent to our address. They are
 * acknowledged without running a handler. Only `bots.info` returns our own app id, so the filter accepts all requests
 * until this call has succeeded.
 */
export function createForeignAppFilter(log: Log, now: () => number = Date.now) {
  let ownAppId: string | undefined;
  let nextLookupAt = 0;
  const fetchOwnAppId = async (client: WebClient, bot: string): Promise<void> => {
    const { bot: found } = await client.bots.info({ bot });
    ownAppId = found?.app_id;
  };
  const isForeign = (body: unknown) => {
    const namedAppId = getAppId(body);
    return ownAppId !== undefined && namedAppId !== undefined && namedAppId !== ownAppId;
  };
  return {
    isForeign,
    /** Acknowledges a request for another app. Returns false if the request is for this app. */
    async answerForeign(body: unknown, ack: (payload?: unknown) => Promise<void>): Promise<boolean> {
      if (!isForeign(body)) return false;
      const kind = getPayloadType(body);
      log.warn({ app: getAppId(body), kind }, 'request for another app');
      await ack(buildUnknownResponse(kind));
      return true;
    },
    /** Looks up our own app id in the background. */
    lookUpOwnAppId(client: WebClient, bot: string | undefined): void {
      if (ownAppId !== undefined || bot === undefined || now() < nextLookupAt) return;
      nextLookupAt = now() + LOOKUP_INTERVAL_MS;
      fetchOwnAppId(client, bot).catch((error: unknown) =>
        log.debug({ reason: String(error) }, 'app id lookup failed'),
      );
    },
  };
}

function getAppId(body: unknown): string | undefined {
  const appId =
    typeof body === 'object' && body !== null && 'api_app_id' in body ? body.api_app_id : undefined;
  return typeof appId === 'string' && appId !== '' ? appId : undefined;
}
