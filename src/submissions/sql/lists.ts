import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { FINAL, WAITING_FOR_PERSON } from '../lifecycle.ts';
import type { SubmissionRow } from './submissions.ts';

/** Maximum number of submissions in a person's list. */
const MAX_SHOWN = 20;
/** Maximum number of confirmed submissions in a list. */
const MAX_RESULTS = 100;
/** Maximum number of other people's submissions that are read, before the caller filters them by project. */
const MAX_OTHERS = 200;

/**
 * Lists the actor's submissions that aren't final, newest first. Reads one more than people see, so that the caller
 * knows whether there are more.
 */
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

/** Lists an author's submissions of one kind in a project that were confirmed after `since`, newest first. */
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
 * Lists other authors' submissions that have waited for their author since `since` or earlier, or whose publishing time
 * is before `dueBefore`. The earliest publishing time comes first.
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

/** Lists the submissions of a workspace that have these ids, whoever their authors are. */
export async function listSubmissionsById(
  db: Kysely<BotSchema>,
  { workspace, ids }: { workspace: string; ids: readonly string[] },
): Promise<SubmissionRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .execute();
}

/** Finds the author of a record by its id in the service or by fingerprint. */
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

/** Lists confirmed submissions of one kind in a project that have a result, newest first. */
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
