import type { Queryable } from '../../store/database.ts';
import type { SubmissionTables } from '../submission.ts';

/** Authors of records in the service's list. */
interface Authors {
  /** Authors by the record's id in the service. */
  byServiceId: ReadonlyMap<string, string>;
  /** Authors by fingerprint. Fingerprints that several authors share are left out. */
  byFingerprint: ReadonlyMap<string, string>;
}

/** Finds the authors of several records with one query. */
export async function findAuthors(
  db: Queryable<SubmissionTables>,
  filter: { workspace: string; kind: string; serviceIds: readonly string[]; fingerprints: readonly string[] },
): Promise<Authors> {
  const { serviceIds, fingerprints } = filter;
  if (serviceIds.length === 0 && fingerprints.length === 0)
    return { byServiceId: new Map(), byFingerprint: new Map() };
  const rows = await db
    .selectFrom('submission')
    .select(['author', 'service_id', 'fingerprint'])
    .where('workspace', '=', filter.workspace)
    .where('kind', '=', filter.kind)
    .where('state', '=', 'confirmed')
    .where((expression) =>
      expression.or([
        ...(serviceIds.length === 0 ? [] : [expression('service_id', 'in', [...serviceIds])]),
        ...(fingerprints.length === 0 ? [] : [expression('fingerprint', 'in', [...fingerprints])]),
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
