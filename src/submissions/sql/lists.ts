import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { FINAL, WAITING_FOR_PERSON } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/** Length of a list for one person. */
const MAX_SHOWN = 20;
const MAX_RESULTS = 100;
/** Submissions of others that are read before those of projects that the person doesn't run are filtered out. */
const MAX_OTHERS = 200;

/** A person's own submissions that aren't final, newest first. */
export function listOutbox(
  db: Kysely<BotSchema>,
  actor: Pick<SubmissionRow, 'workspace' | 'author'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', actor.workspace)
    .where('author', '=', actor.author)
    .where('state', 'not in', FINAL)
    .orderBy('created_at', 'desc')
    .limit(MAX_SHOWN + 1)
    .execute();
}

/** A person's confirmed submissions of one kind in a project since `since`, newest first, at most 100. */
export function listConfirmedSince(
  db: Kysely<BotSchema>,
  filter: { workspace: string; author: string; kind: string; project: string; since: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', filter.workspace)
    .where('author', '=', filter.author)
    .where('kind', '=', filter.kind)
    .where('project', '=', filter.project)
    .where('state', '=', 'confirmed')
    .where('changed_at', '>', filter.since)
    .orderBy('created_at', 'desc')
    .limit(MAX_RESULTS)
    .execute();
}

/**
 * Others' submissions that have waited for their author since `since`, or are to be published before `dueBefore`;
 * earliest first.
 */
export function listOverdueOfOthers(
  db: Kysely<BotSchema>,
  filter: { workspace: string; author: string; since: Date; dueBefore: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', filter.workspace)
    .where('author', '!=', filter.author)
    .where((row) =>
      row.or([
        row.and([row('state', 'in', WAITING_FOR_PERSON), row('changed_at', '<=', filter.since)]),
        row.and([row('state', 'not in', FINAL), row('publish_at', '<=', filter.dueBefore)]),
      ]),
    )
    .orderBy('publish_at')
    .orderBy('created_at')
    .limit(MAX_OTHERS)
    .execute();
}

/** The author of a record, by the service's id or by fingerprint. */
export async function findAuthor(
  db: Kysely<BotSchema>,
  filter: { workspace: string; kind: string; result: string | undefined; fingerprint: string | undefined },
): Promise<string | undefined> {
  const { result, fingerprint } = filter;
  if (result === undefined && fingerprint === undefined) return undefined;
  const matches = await db
    .selectFrom('submission')
    .select(['author', 'result'])
    .where('workspace', '=', filter.workspace)
    .where('kind', '=', filter.kind)
    .where('state', '=', 'confirmed')
    .where((row) =>
      row.or([
        ...(result === undefined ? [] : [row('result', '=', result)]),
        ...(fingerprint === undefined ? [] : [row('fingerprint', '=', fingerprint)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  const exactMatch = matches.find((row) => result !== undefined && row.result === result);
  const authors = new Set(matches.map(({ author }) => author));
  // If several people sent equal submissions, the author is unknown.
  return exactMatch?.author ?? (authors.size === 1 ? matches[0]?.author : undefined);
}

export function listConfirmed(
  db: Kysely<BotSchema>,
  filter: { workspace: string; project: string; kind: string },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', filter.workspace)
    .where('project', '=', filter.project)
    .where('kind', '=', filter.kind)
    .where('state', '=', 'confirmed')
    .where('result', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(MAX_RESULTS)
    .execute();
}
