import type { Kysely, Transaction } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Rows that a restore changed or created, and what the operator reads about them. */
export interface RestoreCount {
  count: number;
  /** A label, such as "Overdue submissions". */
  label: string;
  /** What happens to these rows after the start. */
  explanation: string;
}

/** One kind of delivery with its lifecycle, as commands and events see it that affect all deliveries. */
export interface DeliveryDomain {
  /** A plural, such as "submissions". */
  name: string;
  table: string;
  lifecycle: Lifecycle<string>;
  /** The states in which rows are created. */
  initialStates: readonly string[];
  /** Prepares the rows of a restored backup, before any instance starts. */
  restore(db: Kysely<BotSchema>, now: Date): Promise<readonly RestoreCount[]>;
  /** Ends the deliveries of a workspace from which the app was uninstalled. Can be repeated. */
  endAfterUninstall(
    transaction: Transaction<BotSchema>,
    uninstall: { workspace: string; now: Date },
  ): Promise<void>;
}
