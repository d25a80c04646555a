import type { Generated } from 'kysely';
import type { Moment } from '../store/column-types.ts';

/** A project that a channel is bound to. */
export interface ChannelProjectTable {
  workspace: string;
  channel: string;
  project: string;
  /** Order in which the projects of the channel were chosen. */
  position: Generated<number>;
  bound_by: string;
  bound_at: Moment;
}

/** The zone that was chosen for posts of a channel, a project or a person. */
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
