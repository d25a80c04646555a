import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { refreshHome } from '../features/home/home.ts';
import { fetchReader } from '../forms/form-context.ts';
import type { AppContext } from '../handlers/call.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import { features } from './features.ts';
import type { createPermissionCheck } from './permission.ts';

interface BackgroundOptions {
  log: Log;
  now: () => Date;
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  createContextFor(actor: Actor): Promise<AppContext>;
  permission: Pick<ReturnType<typeof createPermissionCheck>, 'narrow'>;
}

/** Creates what is read for a person without a request of theirs in Slack, with what they may see. */
export function createBackgroundCalls({
  log,
  now,
  slackFor,
  createContextFor,
  permission,
}: BackgroundOptions) {
  /** Undefined without access to the person's workspace, also while that couldn't be looked up. */
  const createCall = async (actor: Actor, reference: string) => {
    const client = await slackFor(actor.workspace);
    if (!client || client === 'unknown') return undefined;
    const context = await createContextFor(actor);
    return { context, actor, client, catalogue: features, log, reference, now };
  };
  return {
    /** Looks up what a person of a link may see, as for a press that only reads. */
    async look(actor: Actor) {
      const call = await createCall(actor, createReference());
      const narrowed = call && (await permission.narrow(call, 'viewer'));
      if (!narrowed) return 'unknown' as const;
      return 'refusal' in narrowed
        ? ('refused' as const)
        : { ...narrowed, fetchReader: () => fetchReader(narrowed) };
    },
    /** Refreshes a person's Home tab after a background delivery. Never rejects. */
    async updateHome(actor: Actor, refresh?: { isOldIncluded: boolean }): Promise<void> {
      const reference = createReference();
      try {
        const call = await createCall(actor, reference);
        if (call) await refreshHome(call, (home) => permission.narrow(home, 'viewer'), refresh);
      } catch (error) {
        log.warn({ reference, err: error }, 'could not refresh Home');
      }
    },
  };
}

const createReference = () => randomUUID().slice(0, 8);
