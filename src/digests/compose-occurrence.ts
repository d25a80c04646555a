import { listBoundProjects } from '../preferences/bindings.ts';
import { type Digest, isPersonal, toLocalDate } from './digest.ts';
import type { ComposeRequest, ComposeResult, DigestContext } from './digest-context.ts';
import { renderNotCheckedMessage, renderServiceDownMessage } from './messages/notices.ts';
import type { OccurrenceRow } from './occurrence.ts';

/** An occurrence, the digest's settings, and the data stored with the digest's last message. */
interface OccurrenceInput {
  row: OccurrenceRow;
  digest: Digest;
  lastSentAt: Date | undefined;
  snapshot: string | undefined;
}

/**
 * Composes the message of an occurrence. The result is `retry-later` if the service or the permission check failed and
 * the retry period hasn't ended. After that, the message has the posts that Upnext keeps, or says why there is none.
 */
export async function composeOccurrence(
  context: DigestContext,
  input: OccurrenceInput,
): Promise<
  Exclude<ComposeResult, { kind: 'failed' | 'not-checked' }> | { kind: 'retry-later'; retrying_since: Date }
> {
  const { row, digest } = input;
  const result = await tryCompose(context, digest, buildRequest(context, input));
  if (result.kind !== 'failed' && result.kind !== 'not-checked') return result;
  const sharedNow = context.clock.readShared();
  const retrying_since = row.retrying_since ?? sharedNow;
  if (sharedNow.getTime() - retrying_since.getTime() < context.pace.serviceRetryPeriodMs) {
    return { kind: 'retry-later', retrying_since };
  }
  const times = { due: row.due_at, now: context.clock.now() };
  if (result.kind === 'not-checked') return { kind: 'message', ...renderNotCheckedMessage(digest, times) };
  const heldResult = await composeWithoutService(context, digest, buildRequest(context, input), result);
  if (heldResult.kind === 'message') return heldResult;
  return { kind: 'message', ...renderServiceDownMessage(digest, { ...times, failure: result.outcome }) };
}

function buildRequest(context: DigestContext, { row, digest, lastSentAt, snapshot }: OccurrenceInput) {
  const now = context.clock.now();
  const isLate =
    row.requested_at === null && now.getTime() - row.due_at.getTime() > context.pace.minReportedDelayMs;
  return {
    now,
    due: row.due_at,
    // The slot of a scheduled occurrence is its date. It may be sent again on a later day.
    date: row.requested_at === null ? row.slot : toLocalDate(row.requested_at, digest.zone),
    isRequested: row.requested_at !== null,
    ...(isLate && { delayedFrom: row.due_at }),
    ...(lastSentAt && { lastSentAt }),
    ...(snapshot !== undefined && { snapshot }),
  };
}

/** The result of an error in Upnext. It is retried for as long as if the service were unreachable. */
const FAILED: ComposeResult = { kind: 'failed', outcome: { kind: 'unknown', cause: 'connection-lost' } };

/** Composes a digest of the posts that Upnext keeps, after the service has failed. Resolves with `failed` if it would show none. */
export async function composeWithoutService(
  context: DigestContext,
  digest: Digest,
  request: Omit<ComposeRequest, 'projects' | 'reads'>,
  failed: ComposeResult,
): Promise<ComposeResult> {
  const result = await tryCompose(context, digest, { ...request, isServiceDown: true });
  return result.kind === 'message' ? result : failed;
}

/** Composes a digest. Never rejects: errors of the service and of Upnext become `failed`. */
export async function tryCompose(
  context: DigestContext,
  digest: Digest,
  request: Omit<ComposeRequest, 'projects' | 'reads'>,
): Promise<ComposeResult> {
  try {
    const api = await context.findApiClient(digest.workspace);
    if (!api) return { kind: 'failed', outcome: { kind: 'not-applied', cause: 'not-connected' } };
    return await context.compose(digest, {
      ...request,
      projects: await findProjects(context, digest),
      reads: context.createReads(api),
    });
  } catch (error) {
    context.log.error({ digest: digest.id, err: error }, 'could not compose a digest');
    return FAILED;
  }
}

async function findProjects({ db }: DigestContext, digest: Digest): Promise<readonly string[]> {
  if (digest.projects !== 'channel') return digest.projects;
  if (isPersonal(digest)) return [];
  return listBoundProjects(db, { workspace: digest.workspace, channel: digest.channel });
}
