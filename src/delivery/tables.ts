import type { Moment, NullableMoment } from '../store/column-types.ts';

/** What is done once, however often and wherever it is asked for. */
export interface DoneOnceTable {
  workspace: string;
  name: string;
  /** Null: for good. */
  kept_until: NullableMoment;
}

/** All sending is stopped while there is a row. */
export interface HaltTable {
  name: string;
  why: string;
  since: Moment;
}
