import type { Kysely } from 'kysely';
import type { Encryption } from '../access/encryption.ts';
import { forgetRecord } from '../access/record/forget-record.ts';
import { createScans } from '../jobs/scans.ts';
import type { Log } from '../slack/feature.ts';
import { dropNote, dropReturned, dueToForget, forgetAll } from '../store/left-workspaces.ts';
import type { BotSchema } from '../store/schema.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * What stays when the app is uninstalled or its tokens are revoked: so long a team can come back to it. Our own choice.
 */
export const KEEP_ALL_DAYS = 90;
/** A year is what PCI DSS 4.0.1 (10.5.1) asks of audit logs, and nobody whom we know asks for more. */
export const KEEP_RECORD_DAYS = 365;
/** Between two scans, ms. */
const SCAN_MS = 60 * 60 * 1000;

interface RetentionOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  log: Log;
  now(): Date;
  /** The workspace of the settings' own token, which no installation tells of. */
  isOwn(workspace: string): boolean;
}

/** Deletes what is kept of workspaces that the app has left, once its time is over. Any instance does it. */
export function createRetention(options: RetentionOptions): { start(): void; stop(): Promise<void> } {
  const { log, now } = options;
  return createScans(now, async () => {
    try {
      await withoutStatementLimit(() => forgetLeft(options));
    } catch (error) {
      log.error({ err: error }, 'scan for workspaces to forget failed');
    }
    return new Date(now().getTime() + SCAN_MS);
  });
}

/** One scan. */
export async function forgetLeft({ db, encryption, log, now, isOwn }: RetentionOptions): Promise<void> {
  const at = now();
  const before = (days: number) => new Date(at.getTime() - days * DAY_MS);
  await dropReturned(db);
  const due = await dueToForget(db, { all: before(KEEP_ALL_DAYS), record: before(KEEP_RECORD_DAYS) });
  for (const { workspace, record } of due) {
    if (isOwn(workspace)) {
      await dropNote(db, workspace);
      continue;
    }
    await forgetAll(db, workspace, at);
    if (record) {
      await forgetRecord({ db, encryption }, workspace);
      await dropNote(db, workspace);
    }
    log.info({ workspace, record }, 'a workspace that the app has left was forgotten');
  }
}
