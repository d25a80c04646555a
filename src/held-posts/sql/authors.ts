import type { Queryable } from '../../store/database.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import type { HeldPostTables } from '../held-post.ts';

/**
 * Selects submissions, each with the post that Upnext kept before, if there is one. Such a post may have been sent with
 * the role of an approver, who is then the author of the submission, while the post has its own author.
 */
function selectWithHeldPost(db: Queryable<HeldPostTables>, workspace: string) {
  return db
    .selectFrom('submission')
    .leftJoin('held_post', (join) =>
      join
        .onRef('held_post.id', '=', 'submission.origin')
        .onRef('held_post.workspace', '=', 'submission.workspace'),
    )
    .where('submission.workspace', '=', workspace);
}

function selectAuthors(db: Queryable<HeldPostTables>, filter: { workspace: string; kind: string }) {
  return selectWithHeldPost(db, filter.workspace)
    .select(({ fn }) => fn.coalesce('held_post.author', 'submission.author').as('author'))
    .where('submission.kind', '=', filter.kind)
    .where('submission.state', '=', 'confirmed');
}

/** Finds a submission of the author, or of a post that the author wrote and Upnext kept. */
export function findAuthoredSubmission(
  db: Queryable<HeldPostTables>,
  { id, workspace, author }: Pick<SubmissionRow, 'id' | 'workspace' | 'author'>,
): Promise<SubmissionRow | undefined> {
  return selectWithHeldPost(db, workspace)
    .selectAll('submission')
    .where('submission.id', '=', id)
    .where(({ eb, or }) => or([eb('submission.author', '=', author), eb('held_post.author', '=', author)]))
    .executeTakeFirst();
}

/** Finds the author of a record by its id in the service. Resolves with undefined if the author is unknown. */
export async function findAuthor(
  db: Queryable<HeldPostTables>,
  { serviceId, ...filter }: { workspace: string; kind: string; serviceId: string },
): Promise<string | undefined> {
  const row = await selectAuthors(db, filter)
    .where('submission.service_id', '=', serviceId)
    .orderBy('submission.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.author;
}

interface Authors {
  /** Authors by the record's id in the service. */
  byServiceId: ReadonlyMap<string, string>;
  /** Authors by fingerprint. Fingerprints that several authors share are left out. */
  byFingerprint: ReadonlyMap<string, string>;
}

export async function findAuthors(
  db: Queryable<HeldPostTables>,
  filter: { workspace: string; kind: string; serviceIds: readonly string[]; fingerprints: readonly string[] },
): Promise<Authors> {
  const { serviceIds, fingerprints } = filter;
  if (serviceIds.length === 0 && fingerprints.length === 0)
    return { byServiceId: new Map(), byFingerprint: new Map() };
  const rows = await selectAuthors(db, filter)
    .select(['submission.service_id', 'submission.fingerprint'])
    .where((expression) =>
      expression.or([
        ...(serviceIds.length === 0 ? [] : [expression('submission.service_id', 'in', [...serviceIds])]),
        ...(fingerprints.length === 0 ? [] : [expression('submission.fingerprint', 'in', [...fingerprints])]),
      ]),
    )
    .execute();
  const byServiceId = new Map(
    rows.flatMap(({ service_id, author }) => (service_id === null ? [] : [[service_id, author] as const])),
  );
  const byFingerprint = new Map<string, string>();
  const ambiguousFingerprints = new Set<string>();
  for (const { fingerprint, author } of rows) {
    if (fingerprint === null) continue;
    if ((byFingerprint.get(fingerprint) ?? author) !== author) ambiguousFingerprints.add(fingerprint);
    byFingerprint.set(fingerprint, author);
  }
  for (const fingerprint of ambiguousFingerprints) byFingerprint.delete(fingerprint);
  return { byServiceId, byFingerprint };
}
