import type { WebClient } from '@slack/web-api';
import type { Log } from '../log.ts';
import { onTop } from './interactions.ts';
import { outdatedMessage } from './outdated.ts';

/** The acknowledgement that a kind needs, whatever it holds. */
export function answerUnknown(kind: string): object | undefined {
  // An empty one would close a form, and its words would be gone.
  if (kind === 'view_submission') return onTop(outdatedMessage().text);
  return kind.endsWith('_suggestion') ? { options: [] } : undefined;
}

/** Slack's `type`, as far as there is one: what is no text may not even be turned into one. */
export function kindOf(body: unknown): string {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return typeof type === 'string' ? type : typeof body;
}

/** Between two tries to learn our own id, ms. */
const ASK_AGAIN_MS = 10 * 60 * 1000;

/**
 * A request that names another app (`api_app_id`) came to the wrong address: it is answered, and runs nothing. Slack
 * tells our own id only of a bot (bots.info), so until one was asked for everything passes.
 */
export function foreignApps(log: Log, now: () => number = Date.now) {
  let own: string | undefined;
  let askAgainAt = 0;
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
    /** True where it was another app's, which has had its answer. */
    async answered(body: unknown, ack: (payload?: unknown) => Promise<void>): Promise<boolean> {
      if (!isForeign(body)) return false;
      const kind = kindOf(body);
      log.warn({ app: appIn(body), kind }, 'a request for another app');
      await ack(answerUnknown(kind));
      return true;
    },
    /** Nobody waits for it. */
    learnFrom(client: WebClient, bot: string | undefined): void {
      if (own !== undefined || bot === undefined || now() < askAgainAt) return;
      askAgainAt = now() + ASK_AGAIN_MS;
      learn(client, bot).catch((error: unknown) =>
        log.debug({ reason: String(error) }, 'Slack did not say which app this is'),
      );
    },
  };
}

function appIn(body: unknown): string | undefined {
  const named =
    typeof body === 'object' && body !== null && 'api_app_id' in body ? body.api_app_id : undefined;
  return typeof named === 'string' && named !== '' ? named : undefined;
}
