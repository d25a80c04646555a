import type { Capability, Storage } from '../engine/capability.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import type { HeldPostTables } from './tables.ts';

/** The table and lifecycle of held posts. */
export const HELD_POST_STORAGE: Storage<State, HeldPostRow> = {
  table: 'held_post',
  lifecycle: LIFECYCLE,
  project: ({ project }) => project,
  stopped: { state: 'held', reason: 'stopped' },
};

/** The held-posts domain, registered with the other delivery domains. */
export const HELD_POSTS: Capability<State, HeldPostRow, HeldPostTables> = {
  name: 'held posts',
  ...HELD_POST_STORAGE,
  initialStates: ['draft', 'awaiting-review', 'held'],
  async restore(db, now) {
    const { 'needs-person': asked = 0 } = await restoreDeliveries(db, HELD_POST_STORAGE, {
      now,
      // The post may have been handed over since the backup, so equal posts are counted before it is sent.
      change: { reason: 'restored', maybe_sent: true },
      changeOfOthers: { maybe_sent: true },
    });
    return [
      {
        count: asked,
        label: 'Held posts',
        explanation:
          'Their authors are asked first, because the posts may have been handed over since the backup.',
      },
    ];
  },
  /** Ends the workspace's held posts, and deletes their contents, history and messages. */
  async endAfterUninstall(transaction, { workspace, now }) {
    await transitionAfterUninstall(transaction, HELD_POST_STORAGE, { workspace, now });
    await transaction
      .updateTable('held_post')
      .set({ content: null })
      .where('workspace', '=', workspace)
      .execute();
    // An index has the events of each post, and none those of a workspace.
    await transaction
      .deleteFrom('held_post_event')
      .where('held_post', 'in', (posts) =>
        posts.selectFrom('held_post').select('id').where('workspace', '=', workspace),
      )
      .execute();
    await transaction.deleteFrom('held_post_message').where('workspace', '=', workspace).execute();
  },
};
