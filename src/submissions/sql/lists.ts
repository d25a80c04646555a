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
export function outboxOf(
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
export function listChangedSince(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; author: string; kind: string; project: string; since: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('author', '=', wanted.author)
    .where('kind', '=', wanted.kind)
    .where('project', '=', wanted.project)
    .where('state', '=', 'confirmed')
    .where('changed_at', '>', wanted.since)
    .orderBy('created_at', 'desc')
    .limit(MAX_RESULTS)
    .execute();
}

/**
 * Others' submissions that have waited for their author since `since`, or are to be published before `dueBefore`;
 * earliest first.
 */
export function waitingTooLong(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; author: string; since: Date; dueBefore: Date },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('author', '!=', wanted.author)
    .where((row) =>
      row.or([
        row.and([row('state', 'in', WAITING_FOR_PERSON), row('changed_at', '<=', wanted.since)]),
        row.and([row('state', 'not in', FINAL), row('publish_at', '<=', wanted.dueBefore)]),
      ]),
    )
    .orderBy('publish_at')
    .orderBy('created_at')
    .limit(MAX_OTHERS)
    .execute();
}

/** The author of a record, by the service's id or by fingerprint. */
export async function authorOf(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; kind: string; result: string | undefined; fingerprint: string | undefined },
): Promise<string | undefined> {
  const { result, fingerprint } = wanted;
  if (result === undefined && fingerprint === undefined) return undefined;
  const found = await db
    .selectFrom('submission')
    .select(['author', 'result'])
    .where('workspace', '=', wanted.workspace)
    .where('kind', '=', wanted.kind)
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
  const named = found.find((row) => result !== undefined && row.result === result);
  const people = new Set(found.map(({ author }) => author));
  // If several people sent equal submissions, the author is unknown.
  return named?.author ?? (people.size === 1 ? found[0]?.author : undefined);
}

export function confirmedResults(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; project: string; kind: string },
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', wanted.workspace)
    .where('project', '=', wanted.project)
    .where('kind', '=', wanted.kind)
    .where('state', '=', 'confirmed')
    .where('result', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(MAX_RESULTS)
    .execute();
}
