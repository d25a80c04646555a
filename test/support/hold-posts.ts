import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { editHeldPost } from '../../src/held-posts/change.ts';
import { readHeldContent } from '../../src/held-posts/held-post-context.ts';
import { type HeldPost, holdPosts } from '../../src/held-posts/hold.ts';
import type { SeriesContent } from '../../src/held-posts/series/rule.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../src/preferences/project-policy.ts';
import { understandRecurrence } from '../../src/when/recurrence.ts';
import { NOW, type Running } from './bot.ts';

interface HeldTestPost {
  text: string;
  /** Other texts, by platform. */
  ownTexts?: Record<string, string>;
  altText?: string;
  /** The publishing time, ISO 8601. Absent for a draft without a time. */
  at?: string | undefined;
  isDraft?: boolean;
  platforms?: string[];
  /** The author's Slack id. Defaults to Ana's. */
  author?: string;
  /** Defaults to Harbour Coffee, `p1`. */
  project?: { id: string; name: string };
  policy?: Partial<ProjectPolicy>;
}

/** A step of a review that one of these people approves, or all of them. */
export const stepOf = (ids: readonly string[], needs: 'any' | 'all' = 'any') => ({
  approvers: ids.map((id) => ({ kind: 'person', id }) as const),
  needs,
});

/** The policy of a project whose posts all are reviewed, by one of these people. */
export const reviewedBy = (...ids: readonly string[]) => ({
  ...{ leadMinutes: 60, review: 'required' as const },
  reviewSteps: [stepOf(ids)],
});

/** Builds the content of a post of Harbour Coffee, as the post form would. */
export function buildPost({
  text,
  ownTexts,
  altText,
  at,
  isDraft = false,
  platforms = ['X'],
  project = { id: 'p1', name: 'Harbour Coffee' },
}: Omit<HeldTestPost, 'author' | 'policy'>): PostContent {
  const status = isDraft ? 'DRAFT' : 'SCHEDULED';
  return {
    values: {
      text,
      ...(ownTexts && { ownTexts }),
      ...(altText !== undefined && { altText }),
      platforms,
      status,
      when: '',
      zone: 'Europe/Lisbon',
      media: '',
    },
    project,
    ...(at !== undefined && { moment: { instant: new Date(at).toISOString(), zone: 'Europe/Lisbon' } }),
  };
}

/** Builds a series of posts of Harbour Coffee, every Monday. */
export function buildSeries(text: string): SeriesContent {
  const zone = 'Europe/Lisbon';
  const reading = understandRecurrence({ text: 'every Monday 9:00', zone, now: NOW, locale: 'en-GB' });
  if (reading.kind !== 'understood') throw new Error(`the rule is ${reading.kind}`);
  return { recurrence: { zone, ...reading.recurrence }, contents: [buildPost({ text })], gapDays: 0 };
}

/** Stores a held post in the emulated workspace, as the post form would. It is handed over an hour before its time. */
export async function holdPost({ bot }: Pick<Running, 'bot'>, post: HeldTestPost): Promise<HeldPost['row']> {
  const content = buildPost(post);
  const [held] = await holdPosts(bot.heldPosts, {
    workspace: 'T01HARBOUR',
    author: post.author ?? 'U01ANAFERR',
    project: content.project.id,
    origin: randomUUID(),
    contents: [content],
    policy: { ...DEFAULT_POLICY, leadMinutes: 60, ...post.policy },
  });
  if (!held) throw new Error('no post was held');
  return held.row;
}

/** Changes the held post with this id, or all of them. */
export async function changeHeldPosts(
  { db }: Pick<Running, 'db'>,
  changes: Updateable<BotSchema['held_post']>,
  id?: string,
): Promise<void> {
  const update = db.updateTable('held_post').set(changes);
  await (id === undefined ? update : update.where('id', '=', id)).execute();
}

/** Stores as many copies of a held post. Their contents can't be read. `changes` returns what differs in each. */
export async function copyHeldPost(
  { db }: Pick<Running, 'db'>,
  { id, ...row }: HeldPost['row'],
  count: number,
  changes: (index: number) => Partial<HeldPost['row']> = () => ({}),
): Promise<void> {
  const copies = Array.from({ length: count }, (_, index) => ({
    ...row,
    ...{ id: `${id}-${index}`, origin: `${id}-${index}`, next_at: null, notify_at: null },
    ...changes(index),
  }));
  await db.insertInto('held_post').values(copies).execute();
}

/** Lists the held posts as they are stored. */
export const listHeldPosts = ({ db }: Pick<Running, 'db'>) =>
  db.selectFrom('held_post').selectAll().orderBy('created_at').orderBy('item').execute();

/** Lets Ben change the text of the only held post. */
export async function editAsBen(running: Pick<Running, 'bot' | 'db'>, text: string): Promise<void> {
  const { heldPosts } = running.bot;
  const [row] = await listHeldPosts(running);
  const content = row && (readHeldContent(heldPosts, row)?.content as PostContent | undefined);
  if (!content) throw new Error('no post is held');
  const values = { ...content.values, text };
  await editHeldPost(heldPosts, { ...row, actor: 'U02BENOKAF' }, { ...content, values });
}
