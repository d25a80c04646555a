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
