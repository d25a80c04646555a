import { DatabaseTooNew } from './database-too-new.ts';
import { DatabaseTooOld } from './database-too-old.ts';

/**
 * Returns an error if this version can't use a database whose applied migrations are `executedNames`; otherwise
 * undefined. `knownNames` are this version's migrations. Every new migration's name sorts after all earlier names. An
 * unknown name that sorts after the known names therefore belongs to a newer version.
 */
export function findVersionMismatch(
  executedNames: readonly string[],
  knownNames: readonly string[],
): DatabaseTooNew | DatabaseTooOld | undefined {
  const unknownNames = executedNames.filter((name) => !knownNames.includes(name));
  if (unknownNames.length === 0) return undefined;
  const lastKnownName = knownNames.toSorted().at(-1) ?? '';
  return unknownNames.some((name) => name > lastKnownName)
    ? new DatabaseTooNew(unknownNames)
    : new DatabaseTooOld(unknownNames);
}
