import { randomInt } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Change } from '../engine/capability.ts';
import type { Clock } from '../engine/clock.ts';
import type { Definition } from '../engine/definition.ts';
import { getStep } from '../engine/lifecycle.ts';
import type { Attempt, Group, NotifyResult } from '../engine/notifier.ts';
import type { SentState } from '../posts/state-copy.ts';
import { notifyOnce, waitForAccess } from '../slack/notify-once.ts';
import { renderNoLongerShown } from '../slack/readers.ts';
import { isTransient, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { handleUnknownOutcome, reschedule } from './apply-send-outcome.ts';
import { attempt } from './attempt.ts';
import { type Breaker, createBreaker, createEndpointLimits } from './breaker.ts';
import { readConfirmed, readContent } from './content.ts';
import { clearPendingNotification, createNotificationClearing } from './deliveries.ts';
import { createFingerprints, type TenantService } from './fingerprint.ts';
import type { AnyKind, SubmissionKind } from './kind.ts';
import { endPausesAndWake, findWaitingProjects, wakeRetryableRows } from './pause.ts';
import { reconcile } from './reconcile.ts';
import {
  loadShown,
  loadShownRow,
  mayReadSubmissions,
  recordNewMessage,
  type Shown,
  updateShownMessage,
} from './shown.ts';
import { listFormSubmissions, selectConfirmed } from './sql/lists.ts';
import {
  type ClaimableState,
  type SendingState,
  SUBMISSION_STORAGE,
  type SubmissionRow,
  UNKNOWN_COUNT,
} from './submission.ts';
import {
  createUncertainSaves,
  type SubmissionContext,
  type SubmissionOptions,
} from './submission-context.ts';
import { renderManySubmissions, renderStateView } from './text/state-blocks.ts';

/** Submissions, and searches in confirmed submissions. */
export interface Submissions {
  readonly context: SubmissionContext;
  computeFingerprints(
    fields: { workspace: string; kind: string; project: string },
    kindFingerprints: readonly string[],
  ): Promise<string[]>;
  /** Lists a project's confirmed submissions with a service id, newest first. `limit` defaults to 100. */
  listConfirmed<Content>(
    kind: Pick<SubmissionKind<Content>, 'name' | 'content'>,
    filter: { workspace: string; project: string; serviceId?: string; limit?: number },
  ): Promise<{ serviceId: string; content: Content }[]>;
  /** Ends all pauses of a workspace, after an owner has replaced the token. */
  resume(workspace: string): Promise<void>;
  /** Ends the searches for uncertain saves. The engine ends the steps. */
  stop(): void;
}

export function createSubmissions(options: SubmissionOptions): Submissions {
  const { kinds, db, encryption, clock, engine, ...dependencies } = options;
  const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]));
  if (kindsByName.size < kinds.length) throw new Error('two kinds of submission have the same name');
  const random = options.random ?? (() => randomInt(2 ** 32) / 2 ** 32);
  const context: SubmissionContext = {
    ...dependencies,
    db,
    encryption,
    clock,
    random,
    endpointLimits: createEndpointLimits(),
    uncertainSaves: createUncertainSaves({ db, log: options.log }),
    clearNotification: createNotificationClearing({ db, clock }),
    findKind: (name) => kindsByName.get(name),
    getBreaker: createBreakerLookup(options, clock, random, (service) => {
      wakeAfterRecovery(service).catch((error: unknown) =>
        options.log.warn({ err: error }, 'could not wake submissions that wait for the service'),
      );
    }),
    findAddress: async (workspace, project) =>
      (await options.findApiClient(workspace, project))?.address ?? '',
    ...createFingerprints(db, encryption),
    get verbs() {
      return verbs;
    },
  };
  const verbs = engine.register(defineSubmissions(context));
  const wakeAfterRecovery = async ({ workspace, address }: TenantService) => {
    try {
      for (const tenantProject of await findWaitingProjects(db, { workspace, now: clock.readShared() })) {
        const tenantAddress = await context.findAddress(workspace, tenantProject.project ?? undefined);
        if (tenantAddress === address) await wakeRetryableRows(db, tenantProject, clock.readShared());
      }
    } finally {
      context.verbs.wake();
    }
  };
  const computeFingerprints: Submissions['computeFingerprints'] = async (fields, kindFingerprints) => {
    const address = await context.findAddress(fields.workspace, fields.project);
    return Promise.all(
      kindFingerprints.map((equalityKey) => context.computeFingerprint({ ...fields, address, equalityKey })),
    );
  };
  return {
    context,
    computeFingerprints,
    async listConfirmed(kind, filter) {
      const rows = await selectConfirmed(db, { ...filter, kind: kind.name })
        .selectAll()
        .execute();
      return rows.flatMap((row) => {
        const contentResult = readConfirmed(context, kind, row);
        return row.service_id === null || !contentResult
          ? []
          : [{ serviceId: row.service_id, content: contentResult.content }];
      });
    },
    resume: (workspace) => endPausesAndWake(context, workspace),
    stop() {
      context.uncertainSaves.stop();
    },
  };
}

/** Number of circuit breakers at which closed breakers are deleted. Exceeds the expected number of active tenants. */
const BREAKER_CLEANUP_THRESHOLD = 10_000;

/** Creates `getBreaker`. Tenants have separate circuit breakers, so that no tenant delays another. */
function createBreakerLookup(
  { pace }: SubmissionOptions,
  clock: Clock,
  random: () => number,
  onClose: (service: TenantService) => void,
): SubmissionContext['getBreaker'] {
  const breakersByKey = new Map<string, Breaker>();
  return ({ workspace, address }, calls) => {
    const key = JSON.stringify([workspace, address, calls]);
    const existingBreaker = breakersByKey.get(key);
    if (existingBreaker) return existingBreaker;
    if (breakersByKey.size >= BREAKER_CLEANUP_THRESHOLD) {
      for (const [otherKey, { isClosed }] of breakersByKey) if (isClosed()) breakersByKey.delete(otherKey);
    }
    const breaker = createBreaker(pace.breaker, () => clock.readShared().getTime(), random);
    breaker.onClose(() => onClose({ workspace, address }));
    breakersByKey.set(key, breaker);
    return breaker;
  };
}

/** Maximum number of steps in progress. `EndpointLimits` has a lower limit for each service. */
const MAX_ROWS_IN_PROGRESS = 192;
/** Maximum number of notifications in progress, and of submissions in a claim of some. */
const [MAX_NOTIFICATIONS, MAX_NOTIFIED_ROWS] = [20, 50];

/** Defines how submissions are sent, and their authors notified. An endpoint is a scheduling service. */
function defineSubmissions(context: SubmissionContext): Definition<SentState, SendingState, SubmissionRow> {
  const { pace, endpointLimits, connectionCheck } = context;
  return {
    storage: {
      ...SUBMISSION_STORAGE,
      ...(connectionCheck && { sendingCondition: connectionCheck.isCurrent }),
    },
    ms: {
      retention: pace.retentionMs,
      lease: pace.leaseMs,
      scanInterval: pace.scanIntervalMs,
      maxStartDelay: pace.maxStartDelayMs,
    },
    limits: { rows: MAX_ROWS_IN_PROGRESS, endpoint: endpointLimits.getLimit },
    load: async () => (row) => runStep(context, row),
    purgeTo: (row, now) => createPurgeChange(context, row, now),
    async onEntered(row) {
      if (row.state !== 'confirmed') return;
      context.onConfirmed(row);
      await runConfirmationFollowUp(context, row);
    },
    notifying: {
      groupColumn: 'author',
      // What the service refused has its own reason, and what it gave up its last failure.
      splitBy: ({ id, state, project, kind, reason }) =>
        isQuestion(state) ? `${project} ${kind} ${reason}` : id,
      getGroupMs: (state) => (isQuestion(state) ? pace.questionGroupMs : 0),
      leaseMs: pace.notificationDelayMs * 2,
      maxRows: MAX_NOTIFIED_ROWS,
      maxInProgress: MAX_NOTIFICATIONS,
      createToldChange: (now) => ({ notified_at: now }),
      notify: (rows, attempt) => notifyAuthor(context, rows, attempt),
    },
  };
}

/** Whether a state asks the author for a decision. Several posts of the same reason are one question. */
const isQuestion = (state: string) => state === 'unsure' || state === 'blocked';

/** Runs the kind's `onConfirmed`. A failure is only logged, because it doesn't change the submission. */
async function runConfirmationFollowUp(context: SubmissionContext, row: SubmissionRow): Promise<void> {
  const kind = context.findKind(row.kind);
  const contentResult = kind?.onConfirmed && readContent(context, kind, row);
  if (!contentResult) return;
  try {
    await kind?.onConfirmed?.(context.db, row, contentResult.content);
  } catch (error) {
    context.log.error({ submission: row.id, err: error }, 'follow-up of a confirmed submission failed');
  }
}

async function runStep(context: SubmissionContext, row: SubmissionRow): Promise<SubmissionRow | undefined> {
  await context.pace.onCrashPoint?.('after-claim');
  const kind = context.findKind(row.kind);
  if (!kind) {
    context.log.error({ submission: row.id, kind: row.kind }, 'unknown kind of submission');
    return reschedule(context, row, context.pace.probeIntervalMs, { ignoreDeadline: true });
  }
  return getStep(STEPS, row.state)(context, row, kind);
}
type Step = (
  context: SubmissionContext,
  row: SubmissionRow,
  kind: AnyKind,
) => Promise<SubmissionRow | undefined>;

const STEPS: Readonly<Record<ClaimableState, Step>> = {
  saved: (context, row) => attempt(context, row, { probe: 'when-due' }),
  retryable: (context, row) => attempt(context, row, { probe: 'when-due' }),
  // The instance died during the call, so the outcome is unknown.
  sending: (context, row, kind) => handleUnknownOutcome(context, row, kind),
  unknown(context, row, kind) {
    const { strategy } = kind.unknownOutcome;
    const hasBaseline = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
    if (strategy === 'reconcile' && hasBaseline) return reconcile(context, row, kind);
    if (strategy === 'repeat' && row.reason !== 'restored')
      return attempt(context, row, { probe: 'when-due' });
    return handleUnknownOutcome(context, row, kind);
  },
  reconciling: reconcile,
};

/**
 * Creates the change for the purge of a submission. Removes the content, and adds an encrypted summary to confirmed
 * rows of some kinds. Rows without a summary are deleted later.
 */
export function createPurgeChange(
  context: Pick<SubmissionContext, 'findKind' | 'encryption' | 'log' | 'pace'>,
  row: SubmissionRow,
  now: Date,
): Change<SubmissionRow> {
  const summary = row.summary ?? createSummary(context, row);
  // The row of a post that goes out much later is still needed then.
  const retainedSince = Math.max(now.getTime(), row.publish_at?.getTime() ?? 0);
  const deleteAt = summary === null ? new Date(retainedSince + context.pace.rowRetentionMs) : null;
  return { content: null, refusal: null, summary, delete_at: deleteAt };
}

/** Creates the encrypted summary. Null if there is none. Doesn't throw, because the purge must not fail. */
function createSummary(
  context: Pick<SubmissionContext, 'findKind' | 'encryption' | 'log'>,
  row: SubmissionRow,
): string | null {
  const kind = context.findKind(row.kind);
  if (!kind?.summarize || row.state !== 'confirmed' || row.service_id === null) return null;
  const contentResult = readContent(context, kind, row);
  if (!contentResult) return null;
  try {
    const summary = JSON.stringify(kind.summarize(contentResult.content));
    return context.encryption.encrypt(summary, row.workspace);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    context.log.error({ submission: row.id, error: name }, 'could not create the summary of a submission');
    return null;
  }
}

/** Maximum number of messages about submissions that need their author for the same reason. More are one message. */
const MAX_SINGLE_MESSAGES = 3;

/**
 * Notifies the author of the state of rows: updates the open views, or sends direct messages. If the author can't be
 * reached and it wasn't sent, somebody who manages the project is told.
 */
export async function notifyAuthor(
  context: SubmissionContext,
  rows: Group<SubmissionRow>,
  attempt: Attempt,
): Promise<NotifyResult> {
  const [{ workspace, author, project, state }] = rows;
  const untoldRows: SubmissionRow[] = [];
  for (const row of rows) {
    const taken = await context.takeOutcome(row);
    if (taken === false) untoldRows.push(row);
    else if (taken !== true) return rows.length > 1 ? 'each' : taken;
  }
  if (untoldRows.length === 0) return 'notified';
  const client = await context.findSlackClient(workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const closedRows: SubmissionRow[] = [];
  for (const [first, ...others] of Map.groupBy(untoldRows, ({ view_id, id }) => view_id ?? id).values()) {
    if (!first) continue;
    // Many views take longer than a claim.
    if (first.view_id !== null && rows.length > 1 && !(await attempt.begin())) return 'later';
    const ofView = [first, ...others];
    if (!(await showInOpenView(context, client, first))) closedRows.push(...ofView);
    else for (const row of ofView) await updateShownMessage(context, client, row);
  }
  const isShared = closedRows.length > MAX_SINGLE_MESSAGES;
  closedRows.sort((one, other) => Number(one.publish_at) - Number(other.publish_at));
  for (const ofMessage of isShared ? [closedRows] : closedRows.map((row) => [row])) {
    const result = await notifyOnce({ client, log: context.log }, attempt, {
      ...{ to: author, rows: ofMessage },
      onCrashPoint: (point) => context.pace.onCrashPoint?.(point),
      mayRead: (to) => mayReadSubmissions(context, client, to, ofMessage),
      renderHidden: () => renderNoLongerShown({ channel: author }),
      render: async (remaining) =>
        renderManySubmissions(await Promise.all(remaining.map((row) => loadShownRow(context, row)))),
      // A message to somebody else is never updated, because its buttons would act for the author.
      record: async (message, told) => {
        const [row, ...others] = told;
        if (row && others.length === 0 && !message.isShared)
          await recordNewMessage(context, client, row, message);
        else if (isShared) for (const each of told) await updateShownMessage(context, client, each);
      },
      ...(state !== 'confirmed' && {
        listStandIns: () => context.findManagers(workspace, project ?? undefined),
      }),
    });
    if (result === 'later') return result;
  }
  context.onAuthorNotified({ workspace, user: author });
  return 'notified';
}

/** Shows a form's submissions in the open view. Resolves with false if the view is closed. */
async function showInOpenView(
  context: SubmissionContext,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await listFormSubmissions(context.db, row);
  const shown = await loadShown(context, rows);
  // The notification of another row has already updated the view. A second update would erase the author's changes.
  if (shown.refusal && rows.some(({ id, notify_at }) => id === row.id && !notify_at)) return true;
  await context.pace.onCrashPoint?.('before-view');
  try {
    const form = await rebuildRefusedForm(context, shown);
    const view = form ?? renderStateView(shown.submissions);
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const formRow of rows) await clearPendingNotification(context, formRow);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewChangedOrClosed(error))
      context.log.warn({ view: row.view_id, err: error }, 'could not update a view');
    return false;
  }
}

/** Rebuilds the form of refused submissions, in any instance. Undefined if there is no form. */
async function rebuildRefusedForm(
  context: SubmissionContext,
  { rows, refusal }: Shown,
): Promise<ModalView | undefined> {
  const [firstRow] = rows;
  const kind = firstRow && context.findKind(firstRow.kind);
  if (!firstRow || !refusal || !kind?.rebuildForm) return undefined;
  const { db, encryption, log } = context;
  try {
    return await kind.rebuildForm({ db, encryption, now: context.clock.now() }, rows, refusal);
  } catch (error) {
    log.error({ submission: firstRow.id, err: error }, 'could not rebuild a form');
    return undefined;
  }
}
