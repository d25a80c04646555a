import { DatabaseTooNew } from './database-too-new.ts';
import { DatabaseTooOld } from './database-too-old.ts';

/**
 * The error if this version can't use a database whose applied migrations are `executed`; otherwise undefined. `known`
 * are this version's migrations. New names sort after all others. An unknown name that sorts after the known names
 * therefore belongs to a newer version.
 */
export function findVersionMismatch(
  executed: readonly string[],
  known: readonly string[],
): DatabaseTooNew | DatabaseTooOld | undefined {
  const unknown = executed.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const last = known.toSorted().at(-1) ?? '';
  return unknown.some((name) => name > last) ? new DatabaseTooNew(unknown) : new DatabaseTooOld(unknown);
}
