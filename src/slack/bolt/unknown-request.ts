import type { WebClient } from '@slack/web-api';
import type { Log } from '../log.ts';
import { showOnTop } from './interactions.ts';
import { outdatedMessage } from './outdated.ts';

/** The acknowledgement for an unknown request, which depends only on its kind. */
export function answerUnknown(kind: string): object | undefined {
  // An empty acknowledgement would close the form and lose its content.
  if (kind === 'view_submission') return showOnTop(outdatedMessage().text);
  return kind.endsWith('_suggestion') ? { options: [] } : undefined;
}

/** The `type` of a payload for the log, or the JavaScript type if it has none. */
export function kindOf(body: unknown): string {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return typeof type === 'string' ? type : typeof body;
}

/** Time between two attempts to look up our own app id. */
const LOOK_UP_AGAIN_MS = 10 * 60 * 1000;

/**
 * Detects requests for another app (`api_app_id`), which were sent to the wrong address. They are answered without
 * running anything. Our own app id is only available from `bots.info`, so all requests pass until that call has
 * succeeded.
 */
export function createForeignAppFilter(log: Log, now: () => number = Date.now) {
  let own: string | undefined;
  let lookUpAgainAt = 0;
  const learn = async (client: WebClient, bot: string): Promise<void> => {
    const { bot: found } = await client.bots.info({ bot });
    own = found?.app_id;
  };
  const isForeign = (body: unknown) => {
    const named = appIn(body);
    return own !== undefined && named !== undefined && named !== own;
  };
  return {
    isForeign,
    /** Answers a request for another app. False if the request is for this app. */
    async answerForeign(body: unknown, ack: (payload?: unknown) => Promise<void>): Promise<boolean> {
      if (!isForeign(body)) return false;
      const kind = kindOf(body);
      log.warn({ app: appIn(body), kind }, 'request for another app');
      await ack(answerUnknown(kind));
      return true;
    },
    /** Looks up our own app id in the background. */
    learnFrom(client: WebClient, bot: string | undefined): void {
      if (own !== undefined || bot === undefined || now() < lookUpAgainAt) return;
      lookUpAgainAt = now() + LOOK_UP_AGAIN_MS;
      learn(client, bot).catch((error: unknown) =>
        log.debug({ reason: String(error) }, 'could not look up our own app id'),
      );
    },
  };
}

function appIn(body: unknown): string | undefined {
  const named =
    typeof body === 'object' && body !== null && 'api_app_id' in body ? body.api_app_id : undefined;
  return typeof named === 'string' && named !== '' ? named : undefined;
}
