import { DatabaseTooNew } from './database-too-new.ts';
import { DatabaseTooOld } from './database-too-old.ts';

/**
 * Why this version can't use a database that holds these migrations; undefined if it can. New names sort after all
 * others, so a name that we don't know and that sorts after ours is a newer version's.
 */
export function otherVersion(
  executed: readonly string[],
  known: readonly string[],
): DatabaseTooNew | DatabaseTooOld | undefined {
  const unknown = executed.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const last = known.toSorted().at(-1) ?? '';
  return unknown.some((name) => name > last) ? new DatabaseTooNew(unknown) : new DatabaseTooOld(unknown);
}
