import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { Exclusions } from './exclusions.ts';

/** Dependencies of claims, transitions and the poll. */
export interface DeliveryDependencies {
  db: Kysely<BotSchema>;
  /** The clock for leases and waits. All instances share it. */
  clock: () => Date;
  log: { error(fields: object, message: string): void };
  exclusions: Exclusions;
}
