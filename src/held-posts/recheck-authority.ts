import type { HeldPostContext } from './held-post-context.ts';

/**
 * Checks now whether somebody may still schedule each held post of a workspace, because its roles have changed. The poll
 * does the same twice a day, for people who leave Slack or a user group.
 */
export async function recheckAuthority(context: HeldPostContext, workspace: string): Promise<void> {
  const now = context.clock();
  await context.db
    .updateTable('held_post')
    .set({ next_at: now })
    .where('workspace', '=', workspace)
    .where('state', '=', 'held')
    .where('lease_until', 'is', null)
    .execute();
  context.delivery.poll.wake(now);
}
