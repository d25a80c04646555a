import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { deleteAuditRecord, deleteOldEntries } from '../access/access.ts';
import { HOUR_MS } from '../durations.ts';
import { createScans } from '../engine/scans.ts';
import { isEvent } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import { deleteBatch } from '../store/delete-batch.ts';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';
import type { InstallationRemoval } from './installations.ts';
import {
  clearUninstallation,
  deleteWorkspaceData,
  listWorkspacesWithExpiredData,
  lockExpiredData,
} from './sql/uninstalled-workspaces.ts';
import type { WorkspaceTables } from './tables.ts';

const SCAN_INTERVAL_MS = HOUR_MS;

interface RetentionOptions {
  db: Kysely<WorkspaceTables>;
  /** Whether the app is installed by OAuth. The operator of a single workspace decides when its data are deleted. */
  isForMany: boolean;
  log: Log;
  now(): Date;
  /** Defaults to an hour. */
  scanIntervalMs?: number | undefined;
}

/**
 * Deletes old entries of the audit log, expired forms and links, and the data of workspaces that the app has left, once their
 * retention periods have ended. Every instance scans for all of them.
 */
export function createRetention(options: RetentionOptions): { start(): void; stop(): Promise<void> } {
  const { log, now, scanIntervalMs = SCAN_INTERVAL_MS } = options;
  let isStopped = false;
  const scans = createScans(now, async () => {
    try {
      if (options.isForMany) await withoutStatementTimeout(() => deleteExpiredData(options));
      const deleted = await deleteOldEntries(options.db, () => isStopped);
      if (deleted > 0) log.info({ deleted }, 'deleted old audit entries');
      for (const table of ['open_form', 'web_link'] as const)
        await deleteExpired(options.db, table, now(), () => isStopped);
    } catch (error) {
      log.error({ err: error }, 'scan for expired data failed');
    }
    return new Date(now().getTime() + scanIntervalMs);
  });
  return {
    start: () => scans.start(),
    stop() {
      isStopped = true;
      return scans.stop();
    },
  };
}

/** Maximum number of rows that one statement deletes. */
const MAX_DELETED_ROWS = 1_000;

/** Deletes expired forms and buttons, or links, of all workspaces. Once an hour, because nobody should wait for that. */
export async function deleteExpired(
  db: QueryExecutorProvider,
  table: 'open_form' | 'web_link',
  now: Date,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const condition = sql`expires_at < ${now}`;
  const batch = { key: 'id', condition, orderBy: 'expires_at', limit: MAX_DELETED_ROWS };
  let count = MAX_DELETED_ROWS;
  while (count === MAX_DELETED_ROWS && !isStopped()) count = await deleteBatch(db, table, batch);
}

/** Runs one scan. A workspace whose deletion fails is retried in the next scan and doesn't delay the others. */
export async function deleteExpiredData({ db, log }: Pick<RetentionOptions, 'db' | 'log'>): Promise<void> {
  for (const workspace of await listWorkspacesWithExpiredData(db)) {
    try {
      const deleted = await db.transaction().execute(async (transaction) => {
        const expiredPart = await lockExpiredData(transaction, workspace);
        if (expiredPart === 'everything') await deleteAllWorkspaceData(transaction, workspace);
        else if (expiredPart === 'data') await deleteWorkspaceData(transaction, workspace);
        return expiredPart;
      });
      if (deleted) log.info({ workspace, deleted }, 'deleted expired workspace data');
    } catch (error) {
      log.error({ workspace, err: error }, 'could not delete expired workspace data');
    }
  }
}

/** Deletes all data of a workspace, including its audit log and its row in `uninstalled_workspace`. Can be repeated. */
export async function deleteAllWorkspaceData(
  db: Transaction<WorkspaceTables>,
  workspace: string,
): Promise<void> {
  await deleteWorkspaceData(db, workspace);
  await deleteAuditRecord(db, workspace);
  await clearUninstallation(db, workspace);
}

/**
 * Slack's events about a removal of the app or a revocation of its tokens, and about a workspace of an organisation
 * that has the app again. The app needs no scope to receive them.
 */
const uninstallationEvent = z.object({
  type: z.literal('event_callback'),
  event_id: z.string(),
  // Null or absent for an organisation-wide installation.
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  event_time: z.number(),
  authorizations: z
    .array(z.object({ is_enterprise_install: z.boolean().optional() }))
    .optional()
    .catch(undefined),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('app_uninstalled') }),
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({ bot: z.array(z.string()).nullish() }),
    }),
    z.object({
      type: z.enum(['team_access_revoked', 'team_access_granted']),
      team_ids: z.array(z.string()),
    }),
  ]),
});

interface Uninstallation {
  /** Slack's id of the event. */
  id: string;
  kind: UninstallationKind;
  /** The id of a workspace (`T…`) or an organisation (`E…`). */
  installation: string;
  /** The affected workspaces of an organisation. Empty unless the kind is `access-revoked` or `access-granted`. */
  workspaces: readonly string[];
  uninstalledAt: Date;
}

/**
 * `uninstalled`: the installation and all data of its workspaces are deleted. `access-revoked`: the data of some
 * workspaces of an organisation is deleted. `access-granted`: these have the app again, so their requests aren't late
 * ones. `tokens-revoked`: the tokens are deleted and the digests are paused.
 */
type UninstallationKind = 'uninstalled' | 'access-revoked' | 'access-granted' | 'tokens-revoked';

/** Returns `nothing` for an uninstallation event that needs no action, and undefined for any other request. */
function parseUninstallation(body: unknown): Uninstallation | 'nothing' | undefined {
  const payload = isEvent(body) ? uninstallationEvent.safeParse(body).data : undefined;
  if (!payload) return undefined;
  const { event, event_id: id, enterprise_id: organisation } = payload;
  const isGranted = event.type === 'team_access_granted';
  // Slack's time is in whole seconds, so it is rounded up. Only an installation made after the rounded time survives. A
  // grant's time is rounded down, so that a revocation in the same second counts.
  const uninstalledAt = new Date((payload.event_time + (isGranted ? 0 : 1)) * 1000);
  if (event.type === 'team_access_revoked' || isGranted) {
    if (!organisation) return 'nothing';
    return {
      id,
      kind: isGranted ? 'access-granted' : 'access-revoked',
      installation: organisation,
      workspaces: event.team_ids,
      uninstalledAt,
    };
  }
  // A revoked user token doesn't affect the app.
  if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return 'nothing';
  const isOrgWide = !payload.team_id || payload.authorizations?.[0]?.is_enterprise_install === true;
  const installation = isOrgWide ? organisation : payload.team_id;
  if (!installation) return 'nothing';
  const kind = event.type === 'tokens_revoked' ? 'tokens-revoked' : 'uninstalled';
  return { id, kind, installation, workspaces: [], uninstalledAt };
}

/** Deletes the data of workspaces that the app has left, and retries until that succeeds. */
export type Uninstallations = ReturnType<typeof createUninstallations>;

const RETRY_INTERVAL_MS = 30_000;

/**
 * Slack's event is acknowledged after its data were deleted. If that fails, this instance tries again until it succeeds,
 * and Slack sends the event again to any instance. Each deletion can be repeated.
 */
export function createUninstallations(options: {
  log: Log;
  now(): Date;
  removal: InstallationRemoval;
  /** Called for each affected workspace, possibly more than once. */
  onUninstallation(workspace: string, kind: UninstallationKind): void;
  /** Defaults to RETRY_INTERVAL_MS. */
  retryMs?: number | undefined;
}) {
  const { log, now, removal, onUninstallation, retryMs = RETRY_INTERVAL_MS } = options;
  /** By the ids of their events. */
  const failed = new Map<string, Uninstallation>();
  const running = new Map<string, Promise<void>>();
  const computeNextRetryAt = () => new Date(now().getTime() + retryMs);
  const scans = createScans(now, async () => {
    for (const uninstallation of [...failed.values()]) await handle(uninstallation).catch(() => undefined);
    return computeNextRetryAt();
  });

  async function removeData(uninstallation: Uninstallation): Promise<void> {
    const { id, kind, installation } = uninstallation;
    try {
      for (const workspace of await deleteAffected(removal, uninstallation)) {
        log.info({ workspace, uninstallation: kind }, 'app left the workspace');
        onUninstallation(workspace, kind);
      }
      failed.delete(id);
    } catch (error) {
      failed.set(id, uninstallation);
      scans.scheduleAt(computeNextRetryAt());
      log.error(
        { uninstallation: kind, installation, err: error },
        'uninstallation failed and will be retried',
      );
      throw error;
    }
  }
  /** Slack may send the event again while it is handled. */
  function handle(uninstallation: Uninstallation): Promise<void> {
    const { id } = uninstallation;
    const handling = running.get(id) ?? removeData(uninstallation).finally(() => running.delete(id));
    running.set(id, handling);
    return handling;
  }
  return {
    isUninstallation: (body: unknown) => parseUninstallation(body) !== undefined,
    /** Deletes what the event affects. Rejects if that fails, so that the event isn't acknowledged. */
    async handle(body: unknown) {
      const uninstallation = parseUninstallation(body);
      if (uninstallation && uninstallation !== 'nothing') await handle(uninstallation);
    },
    start: scans.start,
    async stop() {
      await Promise.allSettled([scans.stop(), ...running.values()]);
    },
  };
}

/** Deletes the data that an uninstallation affects. Returns the affected workspaces. */
function deleteAffected(
  removal: InstallationRemoval,
  { kind, installation, workspaces, uninstalledAt }: Uninstallation,
): Promise<readonly string[]> {
  switch (kind) {
    case 'uninstalled':
      return removal.remove(installation, uninstalledAt);
    case 'access-revoked':
      return removal.removeWorkspaces(installation, workspaces, uninstalledAt);
    case 'access-granted':
      return removal.restoreAccess(workspaces, uninstalledAt);
    case 'tokens-revoked':
      return removal.deleteTokens(installation, uninstalledAt);
  }
}
