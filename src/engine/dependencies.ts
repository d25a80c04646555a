import type { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { Exclusions } from './exclusions.ts';
import type { EngineTables } from './tables.ts';

/** Dependencies of claims, transitions and the poll. */
export interface DeliveryDependencies {
  db: Kysely<EngineTables>;
  clock: Clock;
  log: { error(fields: object, message: string): void };
  exclusions: Exclusions;
}
