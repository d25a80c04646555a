import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** Who sent what, as far as one list asks for it. */
interface Authors {
  /** By what the service called it. */
  byResult: ReadonlyMap<string, string>;
  /** By what makes two equal, where one person alone sent such. */
  byFingerprint: ReadonlyMap<string, string>;
}

/** The people who sent what a list shows, in one query; `kind` is that of the submissions. */
export async function authorsOf(
  db: Kysely<BotSchema>,
  wanted: { workspace: string; kind: string; results: readonly string[]; fingerprints: readonly string[] },
): Promise<Authors> {
  const { results, fingerprints } = wanted;
  if (results.length === 0 && fingerprints.length === 0)
    return { byResult: new Map(), byFingerprint: new Map() };
  const rows = await db
    .selectFrom('submission')
    .select(['asker', 'result', 'fingerprint'])
    .where('workspace', '=', wanted.workspace)
    .where('kind', '=', wanted.kind)
    .where('state', '=', 'confirmed')
    .where((row) =>
      row.or([
        ...(results.length === 0 ? [] : [row('result', 'in', [...results])]),
        ...(fingerprints.length === 0 ? [] : [row('fingerprint', 'in', [...fingerprints])]),
      ]),
    )
    .execute();
  const byResult = new Map(
    rows.flatMap(({ result, asker }) => (result === null ? [] : [[result, asker] as const])),
  );
  const byFingerprint = new Map<string, string>();
  const shared = new Set<string>();
  for (const { fingerprint, asker } of rows) {
    if (fingerprint === null) continue;
    if ((byFingerprint.get(fingerprint) ?? asker) !== asker) shared.add(fingerprint);
    byFingerprint.set(fingerprint, asker);
  }
  for (const fingerprint of shared) byFingerprint.delete(fingerprint);
  return { byResult, byFingerprint };
}
