/**
 * A version from before the first release made the database, and no migration leads from its tables to the present
 * ones.
 */
export class DatabaseTooOld extends Error {
  constructor(unknownMigrations: readonly string[]) {
    const last = unknownMigrations.toSorted().at(-1);
    super(
      `the database belongs to an earlier version (its last migration is ${last}), and this version can't use it. Nothing was changed: use the version that made it, or a new, empty database`,
    );
    this.name = 'DatabaseTooOld';
  }
}
