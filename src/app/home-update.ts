import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { refreshHome } from '../features/home/refresh-home.ts';
import type { createPermission } from '../features/roles/permission.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { AppContext } from './context.ts';
import { features } from './features.ts';

/**
 * Returns a function that refreshes a person's Home tab after a delivery has ended in the background. Never rejects.
 */
export function createHomeUpdate(options: {
  log: Log;
  now: () => Date;
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  contextFor(actor: Actor): Promise<AppContext>;
  permission: Pick<ReturnType<typeof createPermission>, 'narrow'>;
}): (actor: Actor) => Promise<void> {
  const { log, now, slackFor, contextFor, permission } = options;
  return async (actor) => {
    const reference = randomUUID().slice(0, 8);
    try {
      const client = await slackFor(actor.workspace);
      if (!client || client === 'unknown') return;
      const context = await contextFor(actor);
      const view = { context, actor, client, catalogue: features, log, reference, now };
      await refreshHome(view, (call) => permission.narrow(call, 'viewer'));
    } catch (error) {
      log.warn({ reference, err: error }, 'could not refresh Home');
    }
  };
}
