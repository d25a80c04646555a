import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Permission } from '../access/access.ts';
import { computeEndpointKey } from '../api/address-rules.ts';
import { type ApiClient, withSendPermit } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { computeFullJitterMs } from '../engine/backoff.ts';
import type { Change } from '../engine/capability.ts';
import { addMs } from '../engine/clock.ts';
import type { SentState } from '../posts/state-copy.ts';
import { applyRefusal, applySendOutcome, computeNextAt, reschedule } from './apply-send-outcome.ts';
import { readContent } from './content.ts';
import { findLockKey, findService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import { buildPauseScopes, claimProbes, findStopAndPauses } from './pause.ts';
import { countBaseline } from './reconcile.ts';
import { findRowsById, hasNewerEqualRow, takeEqualPostsLock } from './sql/submissions.ts';
import type { SendingState, SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

export interface AttemptOptions {
  /** Whether the call may probe an open breaker, see `Breaker.enter`. `never`: first attempts, as the author waits. */
  probe: 'never' | 'when-due' | 'now' | 'by-person';
  /** Delay of the author's notification, for callers that show the result. */
  notifyAfterMs?: number;
  /** False if the row was just inserted and nothing is stopped or paused. Defaults to true. */
  mayHaveToWait?: boolean;
  /** Whether the audit log has the answer of the request's own check. Defaults to false. */
  isAllowanceRecorded?: boolean | undefined;
  /** Whether the same attempt has met a connection that another instance had replaced. Defaults to false. */
  isRepeated?: boolean;
  /** Whether the author's request, which goes on, has read their grants and the project's policy. Defaults to false. */
  isInRequest?: boolean;
}

/**
 * Attempts to send a claimed row. A row in `unknown` must be safe to repeat. Resolves with the changed row, or with
 * undefined if another instance has changed the row.
 */
export async function attempt(
  context: SubmissionContext,
  row: SubmissionRow,
  options: AttemptOptions,
): Promise<SubmissionRow | undefined> {
  const kind = context.findKind(row.kind);
  const contentResult = readContent(context, kind, row);
  if (!kind || !contentResult)
    return reschedule(context, row, context.pace.probeIntervalMs, { ignoreDeadline: true });
  const { content } = contentResult;
  const isNewlySaved = options.isInRequest === true && row.revision === 0;
  const earlierAnswer = options.isAllowanceRecorded ? 'yes' : getEarlierAnswer(row);
  const check = { content, isNewlySaved, earlierAnswer };
  const blockedTransition = await checkStillSendable(context, row, kind, check);
  if (blockedTransition === 'taken') return undefined;
  if (blockedTransition)
    return context.verbs.settle(row, blockedTransition.to, blockedTransition.change, {
      notifyAfterMs: options.notifyAfterMs,
    });

  const { api, isOther } = await findService(context, row);
  if (isOther) {
    const isOutcomeKnown = row.state !== 'unknown' && !row.maybe_sent;
    const canCheck = kind.unknownOutcome.strategy === 'reconcile';
    const uncertain = canCheck ? 'other-service-uncertain' : 'cannot-reconcile';
    const { notifyAfterMs } = options;
    return isOutcomeKnown
      ? context.verbs.settle(row, 'blocked', { reason: 'other-service' }, { notifyAfterMs })
      : context.verbs.settle(row, 'unsure', { reason: uncertain }, { notifyAfterMs });
  }
  const turn = await takeTurn(context, row, { kind, api, options });
  if ('waitMs' in turn) return postpone(context, row, options, turn);
  try {
    const sentRow = await send({ context, row, kind, content, options, ...turn });
    if (!sentRow && !options.isRepeated && (await isReplaced(context, row, turn.api)))
      return await attempt(context, row, { ...options, isRepeated: true });
    // The entry of the earlier answer may have been lost with its process, so the last one is recorded again.
    const isKnownAgain = sentRow !== undefined && getEarlierAnswer(sentRow) === 'yes';
    if (getEarlierAnswer(row) === 'yes' && !isKnownAgain) context.recordAllowed(row);
    return sentRow;
  } finally {
    turn.release();
  }
}

/** Whether another instance has replaced the connection that an attempt was about to use. Reads the connections again. */
async function isReplaced(
  { findApiClient }: SubmissionContext,
  { workspace, project }: SubmissionRow,
  used: ApiClient,
): Promise<boolean> {
  const current = await findApiClient(workspace, project ?? undefined, { isLive: true });
  return current?.credential !== used.credential;
}

/** Fencing token of a new row. */
const FIRST_FENCE = 1;

/**
 * Makes the first attempt to send a row. Resolves with the row afterwards. Resolves with undefined if another instance
 * has changed the row, or after an error, in which case the next scan claims the row again.
 */
export async function makeFirstAttempt(
  context: SubmissionContext,
  row: SubmissionRow,
  options: AttemptOptions,
): Promise<SubmissionRow | undefined> {
  // Another instance may have claimed the row since its insert.
  if (row.state !== 'saved' || row.fence !== FIRST_FENCE) return waitUntilSent(context, row);
  try {
    return await attempt(context, row, options);
  } catch (error) {
    context.log.error({ submission: row.id, err: error }, 'first attempt to send a submission failed');
    context.verbs.wake(row.lease_until ?? context.clock.readShared());
    return undefined;
  }
}

/** Waits while another request or the poll sends the row. Resolves with the row afterwards; undefined if it was deleted. */
export async function waitUntilSent(
  context: SubmissionContext,
  initialRow: SubmissionRow,
): Promise<SubmissionRow | undefined> {
  let row: SubmissionRow | undefined = initialRow;
  while (row && isBeingSent(context, row)) {
    await delay(context.pace.rereadIntervalMs);
    [row] = await findRowsById(context.db, [initialRow.id]);
  }
  return row;
}

function isBeingSent(context: SubmissionContext, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending' || row.state === 'retryable';
  return isSending && row.lease_until !== null && row.lease_until > context.clock.readShared();
}

/** How long a row has to wait, because sending is stopped or paused, or a circuit breaker is open. */
interface Wait {
  waitMs: number;
  change?: { reason: 'paused' | 'sending-stopped'; retrying_since?: Date };
}

function postpone(
  context: SubmissionContext,
  row: SubmissionRow,
  options: AttemptOptions,
  { waitMs, change }: Wait,
) {
  // The author must see the response to their form before the result of a retry.
  const delayMs =
    options.probe === 'when-due' ? waitMs : Math.max(waitMs, context.pace.afterAcknowledgementMs);
  const isPostponed = row.state === 'saved' || (row.state !== 'unknown' && change);
  if (!isPostponed) return reschedule(context, row, delayMs);
  const spreadMs = context.random() * context.pace.lockRetryMs;
  const next_at = computeNextAt(context, { ...row, ...change }, delayMs + spreadMs);
  return context.verbs.settle(row, 'retryable', { next_at, refusal: row.refusal, ...change });
}

/** Whether a row may be sent now. If so, enters the circuit breakers, which `release` leaves. */
async function takeTurn(
  context: SubmissionContext,
  row: SubmissionRow,
  { kind, api, options }: { kind: AnyKind; api: ApiClient | undefined; options: AttemptOptions },
): Promise<Wait | (Pick<SendInput, 'api' | 'isProbe' | 'report'> & { release(): void })> {
  const { workspace, project } = row;
  const { probeIntervalMs } = context.pace;
  const scopes = api ? buildPauseScopes(api, row) : [];
  // A stop that begins after the INSERT is found when the send begins.
  const { mayHaveToWait = true } = options;
  const { stop, pauses } = mayHaveToWait
    ? await findStopAndPauses(context.db, { workspace, project, scopes })
    : { stop: undefined, pauses: [] };
  if (stop) {
    const change = { reason: 'sending-stopped', retrying_since: context.clock.readShared() } as const;
    return { waitMs: probeIntervalMs, change };
  }
  const pauseMs = api ? await claimProbes(context, workspace, pauses) : probeIntervalMs;
  if (!api || pauseMs !== undefined)
    return { waitMs: pauseMs ?? probeIntervalMs, change: { reason: 'paused' } };
  const permit = enterBreakers(context, { workspace, api, kind, options });
  return 'waitMs' in permit ? permit : { ...permit, api, isProbe: pauses.length > 0 };
}

type ReportOutcome = (calls: 'reads' | 'writes', outcome: Outcome<unknown>) => void;

/** Asks the circuit breakers for equal posts to be counted and the row sent. Returns the wait if one is open. */
function enterBreakers(
  context: SubmissionContext,
  attempt: { workspace: string; api: ApiClient; kind: AnyKind; options: AttemptOptions },
): { waitMs: number } | { report: ReportOutcome; release(): void } {
  const { workspace, api, kind, options } = attempt;
  const service = { workspace, address: api.address };
  const writePermit = context.getBreaker(service, 'writes').enter(options.probe, api.credential);
  if ('waitMs' in writePermit) return writePermit;
  if (kind.unknownOutcome.strategy !== 'reconcile') {
    return { report: (_calls, outcome) => writePermit.report(outcome), release: () => writePermit.release() };
  }
  const readPermit = context.getBreaker(service, 'reads').enter(options.probe, api.credential);
  if ('waitMs' in readPermit) {
    writePermit.release();
    return readPermit;
  }
  return {
    report: (calls, outcome) => (calls === 'reads' ? readPermit : writePermit).report(outcome),
    release() {
      readPermit.release();
      writePermit.release();
    },
  };
}

interface SendInput {
  context: SubmissionContext;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  options: AttemptOptions;
  /** Whether the submission is sent as the probe of a pause, so that its success ends the pause. */
  isProbe: boolean;
  report: ReportOutcome;
}

async function send(input: SendInput): Promise<SubmissionRow | undefined> {
  const { context, row, kind, content, api, options, isProbe, report } = input;
  const lockKey = await findLockKey(context, row, { kind, content, address: api.address });
  const isLocked = row.locked && row.lock_key === lockKey;
  if (lockKey !== undefined && !isLocked && !(await takeEqualPostsLock(context.db, row, lockKey))) {
    return reschedule(context, row, context.pace.lockRetryMs * (0.5 + context.random()));
  }
  const attempts = row.attempts + 1;
  const countResult = await countBaseline(input);
  if ('transitionedRow' in countResult) return countResult.transitionedRow;
  if ('refusal' in countResult)
    return applyRefusal(
      context,
      { ...row, attempts },
      { api, outcome: countResult.refusal, notifyAfterMs: options.notifyAfterMs },
    );
  // The publishing time may have passed during the count.
  const overdueTransition = findOverdueTransition(context, row, kind, content);
  if (overdueTransition)
    return context.verbs.settle(row, overdueTransition.to, overdueTransition.change, {
      notifyAfterMs: options.notifyAfterMs,
    });

  await context.pace.onCrashPoint?.('before-sending');
  const change = {
    ...(row.endpoint === '' && { endpoint: computeEndpointKey(api.address) }),
    attempts,
    baseline: countResult.baseline,
    checks: 0,
    refusal: null,
  };
  const via = context.connectionCheck?.describe(api, row.project);
  const lease = await context.verbs.beginSending(row, 'sending', change, via);
  if (!lease) return undefined;
  await context.pace.onCrashPoint?.('after-sending');
  // Nothing is sent if the lease might expire during the call.
  const outcome: Outcome<string | undefined> = lease.permit.mayBegin()
    ? await kind.send(withSendPermit(api, lease.permit.mayBegin), content)
    : { kind: 'not-applied', cause: 'lease-too-short', requestId: randomUUID() };
  report('writes', outcome);
  context.endpointLimits.report(row.endpoint, outcome);
  await context.pace.onCrashPoint?.('before-result');
  const updatedRow = await applySendOutcome(context, lease.row, {
    api,
    kind,
    outcome,
    isProbe,
    notifyAfterMs: options.notifyAfterMs,
  });
  await context.pace.onCrashPoint?.('after-result');
  return updatedRow;
}

interface BlockedTransition {
  to: Exclude<SentState, SendingState>;
  change: Change<SubmissionRow>;
}

/**
 * Checks a submission right before the send. Resolves with undefined for a sendable submission, with another transition for
 * an unsendable submission, and with `taken` if it waits for a review now.
 */
async function checkStillSendable(
  context: SubmissionContext,
  row: SubmissionRow,
  kind: AnyKind,
  check: { content: unknown; isNewlySaved: boolean; earlierAnswer: Permission | undefined },
): Promise<BlockedTransition | 'taken' | undefined> {
  const { content, isNewlySaved, earlierAnswer } = check;
  const isOutcomeKnown = row.state !== 'unknown';
  if (context.isSwitchedOff(kind.name)) return { to: 'unsure', change: { reason: 'switched-off' } };
  const overdueTransition = findOverdueTransition(context, row, kind, content);
  if (overdueTransition) return overdueTransition;
  const retryingSince = row.retrying_since ?? row.created_at;
  // While sending is stopped, a submission waits until its time, also if Upnext didn't run meanwhile.
  const isStopped = row.reason === 'sending-stopped';
  if (!isStopped && context.clock.readShared().getTime() - retryingSince.getTime() > context.pace.giveUpMs) {
    return isOutcomeKnown && !row.maybe_sent
      ? { to: 'gave-up', change: { refusal: row.refusal, ...createGiveUpReason(row) } }
      : { to: 'unsure', change: { reason: 'cannot-tell' } };
  }
  if (kind.unknownOutcome.strategy === 'repeat' && (await hasNewerEqualRow(context.db, row))) {
    return { to: 'unsure', change: { reason: 'superseded' } };
  }
  const actor = { workspace: row.workspace, user: row.author };
  const subject = {
    ...{ project: kind.getProject(content)?.id, kind: kind.name, submission: row.id },
    ...{ earlierAnswer, isInRequest: isNewlySaved },
  };
  const permission = await context.checkPermission(actor, kind.getRole(content), subject);
  if (permission === 'no') {
    return isOutcomeKnown && !row.maybe_sent
      ? { to: 'blocked', change: { reason: 'not-allowed' } }
      : { to: 'unsure', change: { reason: 'cannot-reconcile' } };
  }
  const mayNeedReview = permission === 'yes' && isOutcomeKnown && !isNewlySaved;
  const review = mayNeedReview ? await context.takeForReview(row) : 'not-needed';
  if (review === 'taken') return review;
  return permission === 'unknown' || review === 'unknown' ? createRecheckTransition(context, row) : undefined;
}

/**
 * What the check before the last attempt answered. A row that is to be retried or repeated was sent or postponed after it.
 * Undefined if that isn't known, because the row may never have been checked.
 */
function getEarlierAnswer({ state, reason }: SubmissionRow): Permission | undefined {
  if (reason === 'not-checked' || reason === 'repeat-not-checked') return 'unknown';
  return state === 'retryable' || reason === 'repeated' ? 'yes' : undefined;
}

/** Creates the transition for another permission check with backoff. The column `checks` counts these checks. */
function createRecheckTransition(context: SubmissionContext, row: SubmissionRow): BlockedTransition {
  const { clock, pace, random } = context;
  const checks = row.checks + 1;
  // The author must see the response to their form before the result of a retry.
  const waitMs = Math.max(
    pace.afterAcknowledgementMs,
    computeFullJitterMs(checks, pace.retryBackoff, random),
  );
  if (row.state !== 'unknown') {
    const next_at = computeNextAt(context, row, waitMs);
    return { to: 'retryable', change: { checks, next_at, reason: 'not-checked' } };
  }
  const next_at = addMs(clock.readShared(), waitMs);
  return { to: 'unknown', change: { checks, next_at, reason: 'repeat-not-checked' } };
}

/** Finds the transition of an overdue submission. Undefined if the submission isn't overdue, or is in `unknown`. */
function findOverdueTransition(
  context: Pick<SubmissionContext, 'clock'>,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): BlockedTransition | undefined {
  const publishAt = kind.getPublishAt?.(content);
  if (!publishAt || row.state === 'unknown' || publishAt > context.clock.now()) return undefined;
  return row.maybe_sent
    ? { to: 'unsure', change: { reason: 'overdue-uncertain' } }
    : { to: 'blocked', change: { reason: 'overdue' } };
}

/** Creates the state reason for `gave-up`. None if the service was unavailable, or Upnext didn't run meanwhile. */
function createGiveUpReason({ reason }: SubmissionRow): Change<SubmissionRow> {
  if (reason === 'paused') return { reason: 'no-access' };
  return reason === 'not-checked' ? { reason: 'never-checked' } : {};
}
