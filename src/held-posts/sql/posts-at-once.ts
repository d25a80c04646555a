import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { buildOwnerColumns } from '../../engine/sql/owners.ts';
import { POST_OF_SUBMISSION } from '../../posts/post-of-submission.ts';
import { listColumns, toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import type { PostInserter } from '../../submissions/sql/submissions.ts';
import { LIFECYCLE } from '../../submissions/submission.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import type { NewHeldPost } from './held-posts.ts';

/**
 * Builds what stores the post of a submission, with the event of a new version, in the INSERT of the submission. The post of
 * the submission that this one replaces gets its next version. A post that is held has a row already.
 */
export const insertPostAtOnce: PostInserter = (
  { content_hash: hash, platforms, publish_at, at },
  { stored, replacedId },
) => {
  const { source, names, values } = buildOwnerColumns(
    { lifecycle: LIFECYCLE, owner: POST_OF_SUBMISSION },
    stored,
  );
  const content = sql`${hash}, ${platforms}, ${publish_at}::timestamptz`;
  const returned = sql.raw('id, workspace, author, version, content_hash');
  const post =
    replacedId === undefined
      ? sql`insert into post (id, workspace, endpoint, author, project, channel, origin, item, version, content_hash,
            platforms, publish_at, submission, at_once, created_at, ${names})
          select ${randomUUID()}, d.workspace, d.workspace, d.author, coalesce(d.project, ''), d.channel, d.origin, d.item, 1,
            ${content}, d.id, true, d.created_at, ${values} from ${source}
          returning ${returned}, true as is_new_version`
      : sql`update post p set (submission, project, channel, origin, item, content_hash, platforms, publish_at) =
            row(d.id, coalesce(d.project, ''), d.channel, d.origin, d.item, ${content}),
            version = p.version + (p.content_hash <> ${hash})::integer,
            form_version = p.version + (p.content_hash <> ${hash})::integer, fence = p.fence + 1, (${names}) = row(${values})
          from ${source}, (select id, content_hash from post where submission = ${replacedId} and at_once) earlier
          where p.id = earlier.id
          returning ${sql.raw('p.id, p.workspace, p.author, p.version, p.content_hash')},
            earlier.content_hash <> p.content_hash as is_new_version`;
  const event = sql`insert into held_post_event (id, workspace, held_post, version, kind, actor, content_hash, at)
    select ${randomUUID()}, workspace, id, version, case version when 1 then 'created' else 'edited' end, author,
      content_hash, ${at}::timestamptz from stored_post where is_new_version returning id`;
  return sql`, stored_post as (${post}), stored_event as (${event})`;
};

/** The post that a submission delivers, if it was sent at once. */
export async function findPostAtOnce(
  db: Queryable<HeldPostTables>,
  submission: string,
): Promise<(Pick<HeldPostRow, 'id' | 'version' | 'content_hash'> & { was_maybe_sent: boolean }) | undefined> {
  return db
    .selectFrom('post')
    .innerJoin('submission', 'submission.id', 'post.submission')
    .select(['post.id', 'post.version', 'post.content_hash', 'submission.maybe_sent as was_maybe_sent'])
    .where('post.submission', '=', submission)
    .where('post.at_once', '=', true)
    .forUpdate('post')
    .executeTakeFirst();
}

/**
 * Makes a post that was sent at once a held post, whose submission was discarded in the same transaction. Resolves with
 * undefined if it is a held post already.
 */
export async function storePostAtOnce(
  db: Queryable<HeldPostTables>,
  post: NewHeldPost,
): Promise<HeldPostRow | undefined> {
  const values = { ...post, form_version: post.version, at_once: false, submission: null };
  const names = Object.keys(values);
  const columns = listColumns(names);
  const excluded = sql.join(names.map((name) => sql.ref(`excluded.${name}`)));
  const { rows } = await sql<HeldPostRow>`insert into post (${columns})
    select ${columns} from json_populate_record(null::post, ${toJsonParameter(values)}::json)
    on conflict (id) do update set (${columns}) = row(${excluded}), fence = post.fence + 1 where post.at_once
    returning *`.execute(db);
  return rows[0];
}
