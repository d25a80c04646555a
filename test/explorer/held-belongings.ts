import { randomUUID } from 'node:crypto';
import { storeSealedValue } from '../../src/forms/sealed-store.ts';
import { SELECTION_KIND } from '../../src/held-posts/bulk.ts';
import { holdPosts } from '../../src/held-posts/hold.ts';
import { createSeries } from '../../src/held-posts/series/change-series.ts';
import { buildReviewValue } from '../../src/held-posts/text/held-post-buttons.ts';
import type { HeldReason, HeldState } from '../../src/posts/state-copy.ts';
import { DEFAULT_POLICY } from '../../src/preferences/project-policy.ts';
import type { ProjectScope } from './forms.ts';
import { getActor } from './world.ts';

/** Posts that Upnext keeps, in the states that have buttons. */
const HELD_POSTS: readonly { name: string; state: HeldState; reason: HeldReason | null; isDraft: boolean }[] =
  [
    { name: 'draft', state: 'draft', reason: null, isDraft: true },
    { name: 'held', state: 'held', reason: null, isDraft: false },
    { name: 'in review', state: 'awaiting-review', reason: null, isDraft: false },
    { name: 'cancelled', state: 'cancelled', reason: null, isDraft: true },
    { name: 'unowned', state: 'needs-person', reason: 'not-allowed', isDraft: false },
    { name: 'gave-up', state: 'needs-person', reason: 'gave-up', isDraft: false },
  ];

/** Creates the person's held posts in a project. Returns their ids by name. */
export async function createHeldPosts({
  world,
  db,
  workspaceNumber,
  project,
  secret,
  channel,
}: ProjectScope): Promise<ReadonlyMap<string, string>> {
  const { workspace, user: author } = getActor(workspaceNumber);
  const ids = new Map<string, string>();
  for (const { name, state, reason, isDraft } of HELD_POSTS) {
    const status = isDraft ? 'DRAFT' : 'SCHEDULED';
    const content = {
      values: { text: `${secret} ${name}`, platforms: ['X'], status, when: '', zone: 'UTC', media: '' },
      project: { id: project, name: secret },
      moment: { instant: '2026-12-24T09:00:00.000Z', zone: 'UTC' },
    };
    const [post] = await holdPosts(world.context.heldPosts, {
      ...{ workspace, author, project, channel, origin: randomUUID(), contents: [content] },
      policy: { ...DEFAULT_POLICY, leadMinutes: 60 },
    });
    if (!post) throw new Error('nothing was held');
    const waits = state === 'held' ? {} : { next_at: null };
    await db
      .updateTable('held_post')
      .set({ state, reason, notify_at: null, in_review: state === 'awaiting-review', ...waits })
      .where('id', '=', post.row.id)
      .execute();
    ids.set(name, post.row.id);
    if (state === 'awaiting-review') ids.set('value in review', buildReviewValue(post.row));
  }
  const context = world.context.heldPosts;
  for (const name of ['running', 'paused', 'cancelled'] as const) {
    const { row } = await createSeries(context, {
      ...{ workspace, author, project, channel, origin: randomUUID() },
      content: {
        recurrence: { on: { unit: 'day' }, interval: 1, times: [{ hour: 9, minute: 0 }], zone: 'UTC' },
        contents: [
          {
            values: {
              ...{ text: `${secret} ${name}`, platforms: ['X'], status: 'SCHEDULED' },
              ...{ when: '', zone: 'UTC', media: '' },
            },
            project: { id: project, name: secret },
          },
        ],
        gapDays: 0,
      },
    });
    await db.updateTable('series').set({ state: name, next_at: null }).where('id', '=', row.id).execute();
    ids.set(`${name} series`, row.id);
  }
  await db
    .updateTable('held_post')
    .set({ series: ids.get('running series') ?? '' })
    .where('id', '=', ids.get('held') ?? '')
    .execute();
  const owner = {
    context: { db, encryption: context.submissions.context.encryption },
    actor: { workspace, user: author },
    now: context.clock.now,
  };
  const seen = { version: 1, hash: '', movedFrom: '2026-12-25T09:00:00.000Z' };
  const posts = ['held', 'in review'].map((name) => ({ id: ids.get(name) ?? '', ...seen }));
  ids.set('selection', await storeSealedValue(owner, SELECTION_KIND, { project, posts }));
  return ids;
}

/** Builds the filled forms of held posts, by name. They aren't stored, so nobody has to open them. */
export function buildHeldPostForms(actor: string, ids: ReadonlyMap<string, string>): [string, object][] {
  const targets = {
    draft: JSON.stringify({ formId: 'f1', post: `${ids.get('draft')}.1`, actor, does: 'move' }),
    held: JSON.stringify({ formId: 'f2', post: `${ids.get('held')}.1`, actor, does: 'move' }),
    review: JSON.stringify({
      formId: 'f3',
      post: ids.get('value in review') ?? '',
      actor,
      decision: 'rejected',
    }),
    selection: ids.get('selection') ?? '',
  };
  const build = (
    name: string,
    target: keyof typeof targets,
    block_id: string,
    value: string,
  ): [string, object] => [
    name,
    {
      ...{ id: 'V1', hash: 'h', type: 'modal', callback_id: name },
      private_metadata: targets[target],
      blocks: [{ block_id }],
      state: { values: { [block_id]: { value: { type: 'plain_text_input', value } } } },
    },
  ];
  return [
    build('held-posts.move', 'draft', 'when', '+1 day'),
    build('held-posts.hand-over', 'held', 'none', ''),
    build('held-posts.comment', 'draft', 'text', 'Is this right?'),
    build('review.reason', 'review', 'text', 'Too long'),
    build('review.approve-later', 'review', 'when', '+1 day'),
    build('bulk.move', 'selection', 'shift', '+1 day'),
    build('bulk.approve', 'selection', 'none', ''),
  ];
}
