import type { RawBuilder } from 'kysely';
import type { DeliveryRow } from './columns.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What a step may change; the kernel derives everything else from the lifecycle. */
export type Change<Row> = Partial<Omit<Row, Derived>>;

type Derived =
  | 'id'
  | 'workspace'
  | 'state'
  | 'fence'
  | 'lease_until'
  | 'tell_at'
  | 'telling_since'
  | 'tells'
  | 'changed_at';

/** One kind of delivery: its lifecycle and table, and how it differs from others. */
export interface Definition<State extends string, Row extends DeliveryRow> {
  table: 'submission' | 'digest_occurrence';
  lifecycle: Lifecycle<State>;
  /** How long a claimed row is left to its instance, ms: longer than a step takes. */
  leaseMs: number;
  /** How long after its lease was asked for a call may still begin, ms: a whole call fits into the rest. */
  beginMs: number;
  /** What else changes in a row that comes into a state. */
  alsoSets?(to: State): Change<Row>;
  /** What changes elsewhere in the same statement. See `applyTransitions`. */
  beside?: RawBuilder<unknown>;
  /** After a row has come into another state. */
  entered?(row: Row): Promise<void>;
}
