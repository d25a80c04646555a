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
