import type { Generated } from 'kysely';
import type { Moment } from '../store/column-types.ts';

/** Which projects a channel is about. */
export interface ChannelProjectTable {
  workspace: string;
  channel: string;
  project: string;
  /** In the order in which they were chosen. */
  position: Generated<number>;
  bound_by: string;
  bound_at: Moment;
}

/** Which zone posts are in, as chosen for a channel, a project or a person. */
export interface ZoneTable {
  workspace: string;
  scope: string;
  /** The id of the channel, of the project in the service, or of the person. */
  subject: string;
  /** IANA name. */
  zone: string;
  chosen_by: string;
  chosen_at: Moment;
}
