import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { addMs } from '../engine/clock.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { isPersonal, type UndeliverableReason } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import { chooseStateAfterSending, type OccurrenceRow } from './occurrence.ts';
import { pickWait } from './pace.ts';
import { classifySendError, DIGEST_SENT } from './send-message.ts';
import { type ClaimedOccurrence, pauseUndeliverable, settleWithDigest } from './send-occurrence.ts';

/**
 * Slack's limit for commercial apps outside its Marketplace.
 * https://docs.slack.dev/reference/methods/conversations.history
 */
const PAGE_SIZE = 15;
const MAX_PAGES = 5;

/**
 * `cannot-search`: Slack refuses the search, or the range has more messages than `MAX_PAGES` hold. `undeliverable`: Slack
 * doesn't open the direct message with the reader, for example because the account was deactivated.
 */
type SearchResult =
  | { kind: 'found'; ts: string; conversation: string }
  | { kind: 'absent' }
  | { kind: 'rate-limited'; waitMs: number }
  | { kind: 'transient' }
  | { kind: 'undeliverable'; reason: UndeliverableReason }
  | { kind: 'cannot-search' };

/** Searches the channel for a message that Slack may have. If the search fails for too long, the owner decides. */
export async function reconcile(context: DigestContext, { row, digest }: ClaimedOccurrence) {
  const { pace, verbs } = context;
  const giveUp = (reason: 'not-searched' | null) =>
    digest
      ? verbs.settle(row, 'uncertain', { reason: row.reason === 'restored' ? row.reason : reason })
      : verbs.settle(row, 'paused');
  const search = await findMessage(context, row);
  const sharedNow = context.clock.readShared();
  const isRetryPeriodOver =
    sharedNow.getTime() - (row.retrying_since ?? row.changed_at).getTime() > pace.reconcilePeriodMs;
  switch (search.kind) {
    case 'found':
      return settleWithDigest(
        context,
        row,
        chooseStateAfterSending(row),
        { ts: search.ts, conversation: search.conversation, retrying_since: null },
        { sent_at: context.clock.now() },
      );
    // A message that couldn't be looked for may well be there, so only the owner can tell.
    case 'cannot-search':
      return giveUp('not-searched');
    // Nobody can tell whether the reader has the message, so nobody is asked.
    case 'undeliverable':
      return digest?.channel === row.channel
        ? pauseUndeliverable(context, row, search.reason)
        : giveUp('not-searched');
    case 'absent': {
      const checks = row.checks + 1;
      if (checks >= pace.reconcileWaitsMs.length) return giveUp(null);
      const waitMs = pickWait(pace.reconcileWaitsMs, checks);
      return verbs.wait(row, { checks, next_at: addMs(sharedNow, waitMs) });
    }
    default: {
      const waitMs =
        search.kind === 'rate-limited'
          ? search.waitMs
          : pickWait(pace.reconcileWaitsMs, pace.reconcileWaitsMs.length);
      if (isRetryPeriodOver) return giveUp(row.checks > 0 ? null : 'not-searched');
      return verbs.wait(row, { next_at: addMs(sharedNow, waitMs) });
    }
  }
}

/**
 * Acts on a person's answer about an uncertain message. Before it is sent again, it is searched for once more. Undefined
 * if it isn't uncertain any more.
 */
export async function settleUncertain(
  context: DigestContext,
  row: OccurrenceRow,
  answer: 'sent' | 'send again',
): Promise<'confirmed' | 'found' | 'queued' | undefined> {
  const { clock, verbs } = context;
  if (row.state !== 'uncertain') return undefined;
  if (answer === 'sent') return (await verbs.settle(row, 'sent')) && 'confirmed';
  const search = await findMessage(context, row);
  if (search.kind === 'found') {
    const { ts, conversation } = search;
    await verbs.settle(row, 'sent', { ts, conversation });
    return 'found';
  }
  const queuedRow = await verbs.settle(row, 'due', {
    requested_at: clock.now(),
    checks: 0,
    retrying_since: null,
    next_at: clock.readShared(),
  });
  verbs.wake();
  return queuedRow && 'queued';
}

/** Searches the channel once for the message whose metadata contains the occurrence's id. */
async function findMessage(context: DigestContext, row: OccurrenceRow): Promise<SearchResult> {
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return { kind: client ? 'transient' : 'cannot-search' };
  const blockedMs =
    (context.searchBlockedUntil.get(row.workspace) ?? 0) - context.clock.readShared().getTime();
  if (blockedMs > 0) return { kind: 'rate-limited', waitMs: blockedMs };
  let conversation = isPersonal(row) ? undefined : row.channel;
  try {
    // Sending accepts a user id, but the history of a direct message requires the id of the conversation.
    conversation ??= (await client.conversations.open({ users: row.channel })).channel?.id ?? row.channel;
    return await searchHistory(context, client, row, conversation);
  } catch (error) {
    const failure = classifySendError(error);
    if (failure.kind === 'rate-limited') {
      context.searchBlockedUntil.set(row.workspace, context.clock.readShared().getTime() + failure.waitMs);
      return failure;
    }
    if (failure.kind === 'undeliverable' && failure.reason !== 'no-access' && conversation === undefined)
      return failure;
    return isTransient(error) ? { kind: 'transient' } : { kind: 'cannot-search' };
  }
}

async function searchHistory(
  context: DigestContext,
  client: WebClient,
  row: OccurrenceRow,
  channel: string,
): Promise<SearchResult> {
  const sentAt = row.sending_at ?? row.requested_at ?? row.due_at;
  // The lost instance may have sent the message at any time until the backup was restored.
  const sentUntil = row.reason === 'restored' ? (row.retrying_since ?? row.changed_at) : sentAt;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const history = await client.conversations.history({
      channel,
      oldest: String(addMs(sentAt, -context.pace.searchBeforeMs).getTime() / 1000),
      latest: String(addMs(sentUntil, context.pace.searchAfterMs).getTime() / 1000),
      limit: PAGE_SIZE,
      include_all_metadata: true,
      ...(cursor !== undefined && { cursor }),
    });
    const message = (history.messages ?? [])
      .map((candidate) => digestMessage.safeParse(candidate))
      .find(({ data }) => data?.metadata.event_payload.occurrence === row.id);
    if (message?.data) return { kind: 'found', ts: message.data.ts, conversation: channel };
    cursor = history.has_more ? history.response_metadata?.next_cursor : undefined;
    if (!cursor) return { kind: 'absent' };
  }
  // The message may be on a later page.
  return { kind: 'cannot-search' };
}

const digestMessage = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(DIGEST_SENT),
    event_payload: z.object({ occurrence: z.string() }),
  }),
});
