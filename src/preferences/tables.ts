import type { Generated } from 'kysely';
import type { Timestamp } from '../store/column-types.ts';

/** The projects that channels are bound to. */
export interface ChannelProjectTable {
  workspace: string;
  channel: string;
  project: string;
  /** The order in which the projects of the channel were chosen. */
  position: Generated<number>;
  bound_by: string;
  bound_at: Timestamp;
}

/** The zones that were chosen for posts of channels, projects and people. */
export interface ZoneTable {
  workspace: string;
  scope: string;
  /** The id of the channel, of the project in the service, or of the person. */
  subject: string;
  /** IANA name. */
  zone: string;
  chosen_by: string;
  chosen_at: Timestamp;
}

/** The notifications that people chose. People who never chose have no row. */
export interface NotificationChoiceTable {
  workspace: string;
  /** The person's id. */
  person: string;
  published: boolean;
  problems: boolean;
  chosen_at: Timestamp;
}
