import type { DeliveryColumns } from '../engine/columns.ts';
import type { State, StateReason } from './lifecycle.ts';

/** The table of publications. The id is the id of the post's submission, which has everything else about the post. */
export interface PublicationTable extends DeliveryColumns<State, StateReason> {
  author: string;
}
