import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** The authors of posts or other records that the service listed. */
interface Authors {
  /** Authors by the id that the service assigned to the record. */
  byResult: ReadonlyMap<string, string>;
  /** Authors by fingerprint, if one person sent all submissions with this fingerprint. */
  byFingerprint: ReadonlyMap<string, string>;
}

/** Finds the authors of records that the service listed, with one query. */
export async function findAuthors(
  db: Kysely<BotSchema>,
  filter: { workspace: string; kind: string; results: readonly string[]; fingerprints: readonly string[] },
): Promise<Authors> {
  const { results, fingerprints } = filter;
  if (results.length === 0 && fingerprints.length === 0)
    return { byResult: new Map(), byFingerprint: new Map() };
  const rows = await db
    .selectFrom('submission')
    .select(['author', 'result', 'fingerprint'])
    .where('workspace', '=', filter.workspace)
    .where('kind', '=', filter.kind)
    .where('state', '=', 'confirmed')
    .where((row) =>
      row.or([
        ...(results.length === 0 ? [] : [row('result', 'in', [...results])]),
        ...(fingerprints.length === 0 ? [] : [row('fingerprint', 'in', [...fingerprints])]),
      ]),
    )
    .execute();
  const byResult = new Map(
    rows.flatMap(({ result, author }) => (result === null ? [] : [[result, author] as const])),
  );
  const byFingerprint = new Map<string, string>();
  const ambiguousFingerprints = new Set<string>();
  for (const { fingerprint, author } of rows) {
    if (fingerprint === null) continue;
    if ((byFingerprint.get(fingerprint) ?? author) !== author) ambiguousFingerprints.add(fingerprint);
    byFingerprint.set(fingerprint, author);
  }
  for (const fingerprint of ambiguousFingerprints) byFingerprint.delete(fingerprint);
  return { byResult, byFingerprint };
}
