import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { SetAside } from './set-aside.ts';

/** The dependencies of the kernel. */
export interface Kernel {
  db: Kysely<BotSchema>;
  /** The clock of leases and waits, which all instances share. */
  clock: () => Date;
  log: { error(facts: object, message: string): void };
  setAside: SetAside;
}
