import type { Kysely } from 'kysely';
import type { Exclusions } from './exclusions.ts';
import type { EngineTables } from './tables.ts';

/** Dependencies of claims, transitions and the poll. */
export interface DeliveryDependencies {
  db: Kysely<EngineTables>;
  /** The clock for leases and waits. All instances share it. */
  clock: () => Date;
  log: { error(fields: object, message: string): void };
  exclusions: Exclusions;
}
