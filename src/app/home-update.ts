import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { refreshHome } from '../features/home/refresh-home.ts';
import type { createPermissionCheck } from '../features/roles/permission.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { AppContext } from './context.ts';
import { features } from './features.ts';

/** Creates a function that refreshes a person's Home tab after a background delivery. The function never rejects. */
export function createHomeUpdate(options: {
  log: Log;
  now: () => Date;
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  createContextFor(actor: Actor): Promise<AppContext>;
  permission: Pick<ReturnType<typeof createPermissionCheck>, 'narrow'>;
}): (actor: Actor) => Promise<void> {
  const { log, now, slackFor, createContextFor, permission } = options;
  return async (actor) => {
    const reference = randomUUID().slice(0, 8);
    try {
      const client = await slackFor(actor.workspace);
      if (!client || client === 'unknown') return;
      const context = await createContextFor(actor);
      const homeCall = { context, actor, client, catalogue: features, log, reference, now };
      await refreshHome(homeCall, (call) => permission.narrow(call, 'viewer'));
    } catch (error) {
      log.warn({ reference, err: error }, 'could not refresh Home');
    }
  };
}
