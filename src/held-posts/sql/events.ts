import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Clock } from '../../engine/clock.ts';
import type { Queryable } from '../../store/database.ts';
import type { EventKind } from '../event-kinds.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import type { HeldPostKey } from './held-posts.ts';

/** An event in the history of a held post. `content` is encrypted. */
export type HeldPostEventRow = Omit<Selectable<HeldPostTables['held_post_event']>, 'position'>;

/** A new event. Version and hash are those of the post after the event. */
interface NewEvent {
  /** An event with the same id is added once. Defaults to a new id. */
  id?: string;
  kind: EventKind;
  /** The Slack id of the person; '' for Upnext. */
  actor: string;
  at: Date;
  /** Encrypted JSON. */
  content?: string | null;
  step?: number;
  /** Whether the series applied to the post what the person did elsewhere. Defaults to false. */
  bySeries?: boolean | undefined;
}

/** Adds an event to the history of a post. Resolves with false if there is one with this id already. */
export async function addEvent(
  db: Queryable<HeldPostTables>,
  post: Pick<HeldPostRow, 'id' | 'workspace' | 'version' | 'content_hash'>,
  { id = randomUUID(), kind, actor, at, content = null, step, bySeries = false }: NewEvent,
): Promise<boolean> {
  const added = await db
    .insertInto('held_post_event')
    .values({
      id,
      workspace: post.workspace,
      held_post: post.id,
      version: post.version,
      content_hash: post.content_hash,
      kind,
      actor,
      at,
      content,
      step: step ?? null,
      by_series: bySeries,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds its content to the event of the present version of a post, which didn't have it, because a submission had it. */
export async function addVersionContent(
  db: Queryable<HeldPostTables>,
  { id, version, content }: Pick<HeldPostRow, 'id' | 'version' | 'content'>,
): Promise<void> {
  await db
    .updateTable('held_post_event')
    .set({ content })
    .where(({ and }) => and({ held_post: id, version }))
    .where('kind', 'in', ['created', 'edited'])
    .where('content', 'is', null)
    .execute();
}

/** Records that Upnext has sent a post for review, because it needs approvals that it doesn't have. */
export async function addReviewRequest(
  { clock }: { clock: Clock },
  db: Queryable<HeldPostTables>,
  post: HeldPostRow,
): Promise<void> {
  await addEvent(db, post, { kind: 'sent-for-review', actor: '', at: clock.now() });
}

/** Finds the newest event of a person in each of several held posts, by the ids of the posts. */
export async function findLastEvents(
  db: Queryable<HeldPostTables>,
  { workspace, posts, actor }: { workspace: string; posts: readonly string[]; actor: string },
): Promise<ReadonlyMap<string, string>> {
  if (posts.length === 0) return new Map();
  const events = await db
    .selectFrom('held_post_event')
    .select(['id', 'held_post'])
    .distinctOn('held_post')
    .where('workspace', '=', workspace)
    .where('held_post', 'in', posts)
    .where('actor', '=', actor)
    .orderBy('held_post')
    .orderBy('position', 'desc')
    .execute();
  return new Map(events.map(({ id, held_post: post }) => [post, id]));
}

/** Whether a post has changed since a version, and nobody but this person has changed it. */
export async function isChangedOnlyBy(
  db: Queryable<HeldPostTables>,
  post: HeldPostKey & Pick<HeldPostRow, 'version'>,
  { actor, version = post.version }: { actor: string; version?: number | undefined },
): Promise<boolean> {
  if (version >= post.version) return false;
  const later = (await listEvents(db, post)).filter((event) => event.version > version && event.actor !== '');
  return later.length > 0 && later.every((event) => event.actor === actor);
}

/** Lists the events of a held post, oldest first. */
export function listEvents(
  db: Queryable<HeldPostTables>,
  { id, workspace }: HeldPostKey,
): Promise<HeldPostEventRow[]> {
  return db
    .selectFrom('held_post_event')
    .selectAll()
    .where(({ and }) => and({ held_post: id, workspace }))
    .orderBy('position')
    .execute();
}
