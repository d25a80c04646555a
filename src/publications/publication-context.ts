import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import type { Delivery } from '../engine/delivery.ts';
import type { Exclusions } from '../engine/exclusions.ts';
import type { Log } from '../slack/log.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { State } from './lifecycle.ts';
import type { PublicationPace } from './pace.ts';
import type { PublicationRow } from './sql/publications.ts';
import type { PublicationTables } from './tables.ts';

/** The dependencies of publications on other modules. */
export interface PublicationOptions {
  db: Kysely<PublicationTables>;
  submissions: Submissions;
  pace?: PublicationPace;
  /** Whether the scheduling service is the emulator. */
  isEmulated: boolean;
  log: Log;
  /** The clock for publishing times and text, which is the clock that people see. It may jump. */
  now: () => Date;
  /** The clock for leases and backoff. It never jumps. */
  clock: () => Date;
  /** Finds the client of the project's scheduling service. Undefined if the workspace isn't connected to one. */
  findApiClient(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
}

/** The shared state of the publications of an instance. */
export interface PublicationContext extends Required<PublicationOptions> {
  delivery: Delivery<State, never, PublicationRow>;
  exclusions: Exclusions;
}
