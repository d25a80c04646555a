import { type Digest, toLocalDate } from './digest.ts';
import type { ComposeRequest, ComposeResult, DigestContext } from './digest-context.ts';
import { renderNotCheckedMessage, renderServiceDownMessage } from './messages/notices.ts';
import type { OccurrenceRow } from './occurrence.ts';
import { listDigestProjects } from './sql/digests.ts';

/**
 * Composes the message of an occurrence. The result is `retry-later` if the service or the permission check failed and
 * the retry period hasn't ended. After that, the message has the posts that Upnext keeps, or says why there is none.
 */
export async function composeOccurrence(
  context: DigestContext,
  row: OccurrenceRow,
  digest: Digest,
): Promise<
  Exclude<ComposeResult, { kind: 'failed' | 'not-checked' }> | { kind: 'retry-later'; retrying_since: Date }
> {
  const occasion = getOccasion(context, row, digest);
  const result = await compose(context, digest, occasion);
  if (result.kind !== 'failed' && result.kind !== 'not-checked') return result;
  const sharedNow = context.clock.readShared();
  const retrying_since = row.retrying_since ?? sharedNow;
  if (sharedNow.getTime() - retrying_since.getTime() < context.pace.serviceRetryPeriodMs) {
    return { kind: 'retry-later', retrying_since };
  }
  const times = { due: row.due_at, now: context.clock.now() };
  if (result.kind === 'not-checked') return { kind: 'message', ...renderNotCheckedMessage(digest, times) };
  const failure = result.outcome;
  const heldResult = await compose(context, digest, { ...occasion, failure });
  if (heldResult.kind === 'message') return heldResult;
  return { kind: 'message', ...renderServiceDownMessage(digest, { ...times, failure }) };
}

/** Composes a digest as it would be sent now. While the service fails, of the posts that Upnext keeps. */
export async function composePreview(context: DigestContext, digest: Digest): Promise<ComposeResult> {
  const now = context.clock.now();
  const occasion = { due: now, date: toLocalDate(now, digest.zone), isRequested: true };
  const result = await compose(context, digest, occasion);
  if (result.kind !== 'failed') return result;
  const heldResult = await compose(context, digest, { ...occasion, failure: result.outcome });
  return heldResult.kind === 'message' ? heldResult : result;
}

/** What a digest is composed for: its scheduled time, or a person's request. */
type Occasion = Omit<ComposeRequest, 'now' | 'projects' | 'reads'>;

function getOccasion({ clock, pace }: DigestContext, row: OccurrenceRow, digest: Digest): Occasion {
  const { due_at: due, requested_at: requestedAt, slot } = row;
  // The slot of a scheduled occurrence is its date. It may be sent again on a later day.
  if (requestedAt) return { due, date: toLocalDate(requestedAt, digest.zone), isRequested: true };
  const isLate = clock.now().getTime() - due.getTime() > pace.minReportedDelayMs;
  return { due, date: slot, isRequested: false, ...(isLate && { delayedFrom: due }) };
}

/** The result of an error in Upnext. It is retried for as long as if the service were unreachable. */
const FAILED: ComposeResult = { kind: 'failed', outcome: { kind: 'unknown', cause: 'connection-lost' } };

/** Composes a digest. Never rejects: errors of the service and of Upnext become `failed`. */
async function compose(context: DigestContext, digest: Digest, occasion: Occasion): Promise<ComposeResult> {
  try {
    const api = await context.findApiClient(digest.workspace);
    if (!api) return { kind: 'failed', outcome: { kind: 'not-applied', cause: 'not-connected' } };
    return await context.compose(digest, {
      ...occasion,
      now: context.clock.now(),
      projects: await listDigestProjects(context.db, digest),
      reads: context.createReads(api),
    });
  } catch (error) {
    context.log.error({ digest: digest.id, err: error }, 'could not compose a digest');
    return FAILED;
  }
}
