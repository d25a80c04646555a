/** The database was created by a pre-release version and can't be migrated to the current schema. */
export class DatabaseTooOld extends Error {
  constructor(unknownMigrations: readonly string[]) {
    const last = unknownMigrations.toSorted().at(-1);
    super(
      `the database belongs to an earlier version (its last migration is ${last}), and this version can't use it. Nothing was changed: use the version that created it, or a new, empty database`,
    );
    this.name = 'DatabaseTooOld';
  }
}

/** A newer version has migrated the database, and only that version can use it. */
export class DatabaseTooNew extends Error {
  readonly unknownMigrations: readonly string[];

  constructor(unknownMigrations: readonly string[]) {
    super(
      `the database belongs to a newer version: this version does not know its migrations ${unknownMigrations.join(', ')}`,
    );
    this.name = 'DatabaseTooNew';
    this.unknownMigrations = unknownMigrations;
  }
}

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
