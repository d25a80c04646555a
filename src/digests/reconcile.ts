import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { addMs } from '../delivery/add-ms.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { isPersonal } from './digest.ts';
import type { LastDigest } from './last-digest.ts';
import { keepRestoredReason, RESTORED } from './lasting-reasons.ts';
import { stateAfterSending } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { pickWait } from './pace.ts';
import { classifySendError, DIGEST_SENT } from './send-message.ts';
import type { ClaimedOccurrence } from './send-occurrence.ts';
import { findConversation, type OccurrenceRow } from './sql/occurrences.ts';

/** Slack's limit for commercial apps outside its Marketplace. https://docs.slack.dev/reference/methods/conversations.history */
const PAGE_SIZE = 15;
const MAX_PAGES = 5;

/** `cannot-search`: Slack refuses the search, or there are more messages than are read. */
type SearchResult =
  | { kind: 'found'; ts: string; conversation: string }
  | { kind: 'absent' }
  | { kind: 'rate-limited'; waitMs: number }
  | { kind: 'transient' }
  | { kind: 'cannot-search' };

/** Searches the channel for a message that may have been sent. If it isn't found in time, the digest's owner decides. */
export async function reconcile(machine: Machine, { row, digest }: ClaimedOccurrence): Promise<void> {
  const { pace, delivery } = machine;
  const giveUp = () =>
    digest
      ? delivery.transition(row, 'uncertain', keepRestoredReason(row))
      : delivery.transition(row, 'paused', { reason: 'removed' });
  const client = await machine.slackFor(row.workspace);
  const found = await search(machine, client, row);
  const at = machine.clock();
  const isOver = at.getTime() - (row.retrying_since ?? row.changed_at).getTime() > pace.reconcileForMs;
  switch (found.kind) {
    case 'found':
      await delivery.transition(
        row,
        stateAfterSending(row),
        {
          ts: found.ts,
          conversation: found.conversation,
          reason: 'found',
          retrying_since: null,
          ...(row.follow_ups !== null && { next_at: at }),
        },
        { note: { sent_at: machine.now() } satisfies LastDigest },
      );
      return;
    case 'cannot-search':
      await giveUp();
      return;
    case 'absent': {
      const checks = row.checks + 1;
      if (checks >= pace.reconcileWaitsMs.length) await giveUp();
      else
        await delivery.transition(row, 'reconciling', {
          ...keepRestoredReason(row),
          checks,
          next_at: addMs(at, pickWait(pace.reconcileWaitsMs, checks)),
        });
      return;
    }
    default: {
      const ms =
        found.kind === 'rate-limited'
          ? found.waitMs
          : pickWait(pace.reconcileWaitsMs, pace.reconcileWaitsMs.length);
      if (isOver) await giveUp();
      else
        await delivery.transition(row, 'reconciling', { ...keepRestoredReason(row), next_at: addMs(at, ms) });
    }
  }
}

async function search(
  machine: Machine,
  client: WebClient | 'unknown' | undefined,
  row: OccurrenceRow,
): Promise<SearchResult> {
  if (client === 'unknown') return { kind: 'transient' };
  return client ? findMessage(machine, client, row) : { kind: 'cannot-search' };
}

/** Searches the channel once for the message with this occurrence's id in its metadata. */
export async function findMessage(
  machine: Machine,
  client: WebClient,
  row: OccurrenceRow,
): Promise<SearchResult> {
  const blockedMs = (machine.searchBlockedUntil.get(row.workspace) ?? 0) - machine.clock().getTime();
  if (blockedMs > 0) return { kind: 'rate-limited', waitMs: blockedMs };
  try {
    const channel = await conversationOf(machine, client, row);
    return await readHistory(machine, client, row, channel);
  } catch (error) {
    const sent = classifySendError(error);
    if (sent.kind === 'rate-limited') {
      machine.searchBlockedUntil.set(row.workspace, machine.clock().getTime() + sent.waitMs);
      return sent;
    }
    return isTransient(error) ? { kind: 'transient' } : { kind: 'cannot-search' };
  }
}

async function readHistory(
  machine: Machine,
  client: WebClient,
  row: OccurrenceRow,
  channel: string,
): Promise<SearchResult> {
  const sentAt = row.sending_at ?? row.requested_at ?? row.due_at;
  // The lost instance may have sent it at any time until the backup was restored.
  const sentUntil = row.reason === RESTORED ? (row.retrying_since ?? row.changed_at) : sentAt;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const history = await client.conversations.history({
      channel,
      oldest: String(addMs(sentAt, -machine.pace.searchBeforeMs).getTime() / 1000),
      latest: String(addMs(sentUntil, machine.pace.searchAfterMs).getTime() / 1000),
      limit: PAGE_SIZE,
      include_all_metadata: true,
      ...(cursor !== undefined && { cursor }),
    });
    const ours = (history.messages ?? [])
      .map((one) => digestMessage.safeParse(one))
      .find(({ data }) => data?.metadata.event_payload.occurrence === row.id);
    if (ours?.data) return { kind: 'found', ts: ours.data.ts, conversation: channel };
    cursor = history.has_more ? history.response_metadata?.next_cursor : undefined;
    if (!cursor) return { kind: 'absent' };
  }
  // The channel has more messages than are read, so the message may still exist.
  return { kind: 'cannot-search' };
}

const digestMessage = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(DIGEST_SENT),
    event_payload: z.object({ occurrence: z.string() }),
  }),
});

/** Slack reads the history of a direct message by its conversation id; sending also accepts a user id. */
async function conversationOf(machine: Machine, client: WebClient, row: OccurrenceRow): Promise<string> {
  if (!isPersonal(row)) return row.channel;
  const known = row.conversation ?? (await findConversation(machine.db, row.digest));
  if (known !== undefined) return known;
  const opened = await client.conversations.open({ users: row.channel });
  return opened.channel?.id ?? row.channel;
}
