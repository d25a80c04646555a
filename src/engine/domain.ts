import type { Kysely, Transaction } from 'kysely';
import type { Lifecycle } from './lifecycle.ts';
import type { EngineTables } from './tables.ts';

/** The number of rows that a restore changed or created, with a label and an explanation for the operator. */
export interface RestoreCount {
  count: number;
  /** A label, such as "Overdue submissions". */
  label: string;
  /** Tells the operator how these rows are processed once instances start. */
  explanation: string;
}

/** One kind of delivery with its lifecycle, for commands and events that affect all kinds. */
export interface DeliveryDomain<Tables extends EngineTables = EngineTables> {
  /** A plural, such as "submissions". */
  name: string;
  table: string;
  lifecycle: Lifecycle<string>;
  /** The states in which rows are created. */
  initialStates: readonly string[];
  /** Prepares the rows of a restored backup, before any instance starts. */
  restore(db: Kysely<Tables>, now: Date): Promise<readonly RestoreCount[]>;
  /** Ends the deliveries of a workspace from which the app was uninstalled. Can be repeated. */
  endAfterUninstall(
    transaction: Transaction<Tables>,
    uninstall: { workspace: string; now: Date },
  ): Promise<void>;
}
