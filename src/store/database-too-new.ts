/** The database was migrated by a newer version of this code, which alone knows what its tables now mean. */
export class DatabaseTooNew extends Error {
  readonly unknownMigrations: readonly string[];

  constructor(unknownMigrations: readonly string[]) {
    super(
      `the database belongs to a newer version: it holds ${unknownMigrations.join(', ')}, which this version does not know`,
    );
    this.name = 'DatabaseTooNew';
    this.unknownMigrations = unknownMigrations;
  }
}
