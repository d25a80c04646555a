import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import { DAY_MS } from '../durations.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import type { Log } from '../slack/log.ts';
import type { CheckQueue } from './check-queue.ts';
import type { PostImportRow, PostImportTables, State } from './post-import.ts';

/** Points at which tests stop an instance. */
type CrashPoint = 'before-batch' | 'after-batch' | 'before-message' | 'after-message';

/** Durations and waits, ms. Tests pass shorter waits. */
export interface ImportPace {
  scanIntervalMs: number;
  /** Between updates of the message that shows the progress. Slack allows about one a second. */
  progressMs: number;
  /** After this long, an import gives other work its turn. */
  turnMs: number;
  retentionMs: number;
  onCrashPoint?(point: CrashPoint): void | Promise<void>;
}

export const IMPORT_PACE: ImportPace = {
  scanIntervalMs: 15_000,
  progressMs: 3_000,
  turnMs: 20_000,
  retentionMs: 30 * DAY_MS,
};

export interface ImportOptions {
  db: Kysely<PostImportTables>;
  engine: Engine;
  heldPosts: HeldPostContext;
  encryption: Encryption;
  clock: Clock;
  log: Log;
  pace?: ImportPace;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
}

/** The shared state of the imports of an instance. */
export interface ImportContext extends Required<Omit<ImportOptions, 'engine'>> {
  verbs: Registered<State, never, PostImportRow>;
  checkInTurn: CheckQueue;
}
