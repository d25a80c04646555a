import type { DeliveryColumns } from '../engine/columns.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { SubmissionTables } from '../submissions/tables.ts';
import type { State, StateReason } from './lifecycle.ts';

/** The table of publications. The id is the id of the post's submission, which has everything else about the post. */
export interface PublicationTable extends DeliveryColumns<State, StateReason> {
  author: string;
}

/** The tables that publications read or write. */
export interface PublicationTables extends SubmissionTables, PreferenceTables {
  publication: PublicationTable;
}
