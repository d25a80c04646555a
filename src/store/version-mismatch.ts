import { DatabaseTooNew } from './database-too-new.ts';
import { DatabaseTooOld } from './database-too-old.ts';

/**
 * The error for a database with the migrations `executed` that this version can't use; undefined if it can. New names
 * sort after all others, so an unknown name that sorts after the known ones belongs to a newer version.
 */
export function versionMismatch(
  executed: readonly string[],
  known: readonly string[],
): DatabaseTooNew | DatabaseTooOld | undefined {
  const unknown = executed.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const last = known.toSorted().at(-1) ?? '';
  return unknown.some((name) => name > last) ? new DatabaseTooNew(unknown) : new DatabaseTooOld(unknown);
}
