import { randomUUID } from 'node:crypto';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { handOverNow, restoreCancelledPost } from '../../../src/held-posts/decisions.ts';
import { EDITABLE_STATES, type HeldPostRow } from '../../../src/held-posts/held-post.ts';
import type { HeldPostContext } from '../../../src/held-posts/held-post-context.ts';
import { holdPosts } from '../../../src/held-posts/hold.ts';
import { approveHeldPost, returnForChanges } from '../../../src/held-posts/review/decide.ts';
import { findHeldPost } from '../../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY } from '../../../src/preferences/project-policy.ts';
import { GRID_MS, ZONES } from './clock-changes.ts';
import { AUTHORS, type Ledger, REVIEWERS, WORKSPACE, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const BATCH_SIZE = 50;

/** Stores a post for each time, in turns in all projects. */
export async function createPosts(
  context: HeldPostContext,
  world: World,
  times: readonly { publishAt: number; zone: string }[],
): Promise<void> {
  const projects = [...world.projects];
  const create = async ({ publishAt, zone }: { publishAt: number; zone: string }, number: number) => {
    const [project, { policy }] = projects[number % projects.length] ?? ['', { policy: DEFAULT_POLICY }];
    const author = world.random.pick(AUTHORS);
    const text = `post ${number} v1`;
    const contents = [createContent(text, { project, publishAt, zone })];
    const origin = randomUUID();
    const [post] = await holdPosts(context, {
      ...{ workspace: WORKSPACE, author, project, origin, contents, policy },
    });
    if (!post) throw new Error('a post was not stored');
    const { id } = post.row;
    world.postIds.set(text, id);
    const versions = new Map([[1, { text, publishAt, editor: author }]]);
    const answer = readAnswer(post.row);
    world.ledgers.set(id, { author, versions, approvals: new Map(), answer, restoring: 0 });
  };
  for (let first = 0; first < times.length; first += BATCH_SIZE)
    await Promise.all(
      times.slice(first, first + BATCH_SIZE).map((time, index) => create(time, first + index)),
    );
}

function createContent(
  text: string,
  { project, publishAt, zone }: { project: string; publishAt: number; zone: string },
): PostContent {
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone, media: '' },
    project: { id: project, name: project },
    moment: { instant: new Date(publishAt).toISOString(), zone },
  };
}

/** Changes so many posts at the same time. Half of them are about to be handed over. */
export async function changePosts(context: HeldPostContext, world: World, count: number): Promise<void> {
  const { random, clock, ledgers } = world;
  const ids = [...ledgers.keys()];
  const dueSoon = await context.db
    .selectFrom('held_post')
    .select('id')
    .where('state', 'in', [...EDITABLE_STATES, 'cancelled'])
    .where('hand_over_at', '>=', new Date(clock.read() - GRID_MS))
    .where('hand_over_at', '<=', new Date(clock.read() + GRID_MS))
    .execute();
  await Promise.all(
    Array.from({ length: count }, () => {
      const isSoon = dueSoon.length > 0 && random.drawBoolean(0.5);
      return changePost(context, world, isSoon ? random.pick(dueSoon).id : random.pick(ids));
    }),
  );
}

/** Changes a post as somebody who saw its current version. */
async function changePost(context: HeldPostContext, world: World, id: string): Promise<void> {
  const { random } = world;
  const row = await findHeldPost(context.db, { id, workspace: WORKSPACE });
  const ledger = world.ledgers.get(id);
  if (!row || !ledger) return;
  const actor = random.drawBoolean(0.8) ? row.author : random.pick(AUTHORS);
  const press = { id, workspace: WORKSPACE, actor, version: row.version };
  if (row.state === 'awaiting-review' && random.drawBoolean(0.7)) return review(context, world, row, ledger);
  switch (random.pick(['edit', 'edit', 'move', 'cancel', 'restore', 'hurry', 'schedule'] as const)) {
    case 'cancel':
      noteAnswer(ledger, await cancelHeldPost(context, press));
      return;
    case 'restore':
      ledger.restoring += 1;
      noteAnswer(ledger, await restoreCancelledPost(context, press));
      ledger.restoring -= 1;
      return;
    case 'hurry':
      if (random.drawBoolean(0.2)) noteAnswer(ledger, await handOverNow(context, press));
      return;
    case 'schedule':
      // A draft that a reviewer has returned.
      if (row.state === 'draft') await edit(context, world, row, { press, ledger, event: 'scheduled' });
      return;
    case 'move':
      return edit(context, world, row, { press, ledger, event: 'moved' });
    case 'edit':
      return edit(context, world, row, { press, ledger, event: 'edited' });
  }
}

type Change = Awaited<ReturnType<typeof approveHeldPost>>;

/** Records what a person was told. Returns false if their press changed nothing. */
function noteAnswer(ledger: Ledger, result: Change): boolean {
  if (result.kind !== 'changed') return false;
  const answer = readAnswer(result.row);
  // Two people may get their answers in another order than the changes were made.
  if (answer.fence > ledger.answer.fence) ledger.answer = answer;
  return true;
}

function readAnswer({ state, fence, changed_at: changedAt }: HeldPostRow): Ledger['answer'] {
  return { state, fence, changedAt: changedAt.getTime() };
}

interface Edit {
  press: { id: string; workspace: string; actor: string; version: number };
  ledger: Ledger;
  event: 'edited' | 'moved' | 'scheduled';
}

/** Stores a new text and, if the post moves, a new time on the grid. */
async function edit(
  context: HeldPostContext,
  { random, clock, postIds }: World,
  row: HeldPostRow,
  { press, ledger, event }: Edit,
): Promise<void> {
  const name = ledger.versions.get(1)?.text.replace(/ v1$/, '');
  const text = `${name} v${row.version + 1} ${random.next()}`;
  const hours = event === 'moved' ? random.drawInteger(60) / 12 - 2 : 0;
  const publishAt = (row.publish_at?.getTime() ?? clock.getTime()) + Math.round(hours * 12) * (HOUR_MS / 12);
  // The post may be sent before this person has the answer.
  postIds.set(text, row.id);
  const content = createContent(text, { project: row.project, publishAt, zone: random.pick(ZONES) });
  const result = await editHeldPost(context, press, content, event);
  if (!noteAnswer(ledger, result) || result.kind !== 'changed') return;
  ledger.versions.set(result.row.version, { text, publishAt, editor: press.actor });
}

/** Approves a post, or returns it to its author. */
async function review(
  context: HeldPostContext,
  { random }: World,
  row: HeldPostRow,
  ledger: Ledger,
): Promise<void> {
  const { id, version, content_hash: hash } = row;
  const actor = random.pick(REVIEWERS);
  const press = { id, workspace: WORKSPACE, actor, version, hash };
  if (random.drawBoolean(0.05)) {
    const decision = random.pick(['changes-requested', 'rejected'] as const);
    noteAnswer(ledger, await returnForChanges(context, press, { decision, text: 'Please shorten it' }));
    return;
  }
  const text = ledger.versions.get(version)?.text;
  if (!noteAnswer(ledger, await approveHeldPost(context, press)) || text === undefined) return;
  ledger.approvals.set(text, new Set([...(ledger.approvals.get(text) ?? []), actor]));
}
