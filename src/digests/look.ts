import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { later } from '../delivery/later.ts';
import { isTransient } from '../slack/slack-trouble.ts';
import { isPersonal } from './digest.ts';
import { RESTORED, restoredMark } from './kept-marks.ts';
import type { LastPosted } from './last-posted.ts';
import { afterPosting } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { waitOf } from './pace.ts';
import { DIGEST_POSTED, sentOf } from './post-message.ts';
import type { InHand } from './send-message.ts';
import { knownConversation, type OccurrenceRow } from './sql/occurrences.ts';

/** As many as Slack gives some apps at once, and pages of them. */
const MESSAGES = 15;
const PAGES = 5;

type Found =
  | { kind: 'found'; ts: string; conversation: string }
  | { kind: 'absent' }
  | { kind: 'later'; waitMs: number }
  | { kind: 'passing' }
  | { kind: 'cannot-look' };

/** What is `looking`: found in its channel, looked for again, or left to its owner, unless they have removed it. */
export async function look(machine: Machine, { row, digest }: InHand): Promise<void> {
  const { pace, delivery } = machine;
  const leave = () =>
    digest
      ? delivery.transition(row, 'uncertain', restoredMark(row))
      : delivery.transition(row, 'paused', { reason: 'removed' });
  const client = await machine.slackFor(row.workspace);
  const found = await lookBy(machine, client, row);
  const at = machine.clock();
  const isOver = at.getTime() - (row.retrying_since ?? row.changed_at).getTime() > pace.lookForMs;
  switch (found.kind) {
    case 'found':
      await delivery.transition(
        row,
        afterPosting(row),
        {
          ts: found.ts,
          conversation: found.conversation,
          reason: 'found',
          retrying_since: null,
          ...(row.afterwards !== null && { next_at: at }),
        },
        { note: { posted_at: machine.now() } satisfies LastPosted },
      );
      return;
    case 'cannot-look':
      await leave();
      return;
    case 'absent': {
      const checks = row.checks + 1;
      if (checks >= pace.checkWaitsMs.length) await leave();
      else
        await delivery.transition(row, 'looking', {
          ...restoredMark(row),
          checks,
          next_at: later(at, waitOf(pace.checkWaitsMs, checks)),
        });
      return;
    }
    default: {
      const ms = found.kind === 'later' ? found.waitMs : waitOf(pace.checkWaitsMs, pace.checkWaitsMs.length);
      if (isOver) await leave();
      else await delivery.transition(row, 'looking', { ...restoredMark(row), next_at: later(at, ms) });
    }
  }
}

async function lookBy(
  machine: Machine,
  client: WebClient | 'unknown' | undefined,
  row: OccurrenceRow,
): Promise<Found> {
  if (client === 'unknown') return { kind: 'passing' };
  return client ? lookFor(machine, client, row) : { kind: 'cannot-look' };
}

/** One look into the channel, for the message that carries this occurrence. */
export async function lookFor(machine: Machine, client: WebClient, row: OccurrenceRow): Promise<Found> {
  const heldMs = (machine.looksHeld.get(row.workspace) ?? 0) - machine.clock().getTime();
  if (heldMs > 0) return { kind: 'later', waitMs: heldMs };
  try {
    const channel = await conversationOf(machine, client, row);
    return await readHistory(machine, client, row, channel);
  } catch (error) {
    const sent = sentOf(error);
    if (sent.kind === 'later') {
      machine.looksHeld.set(row.workspace, machine.clock().getTime() + sent.waitMs);
      return sent;
    }
    return isTransient(error) ? { kind: 'passing' } : { kind: 'cannot-look' };
  }
}

async function readHistory(
  machine: Machine,
  client: WebClient,
  row: OccurrenceRow,
  channel: string,
): Promise<Found> {
  const sentAt = row.sending_at ?? row.asked_at ?? row.due_at;
  // The instance that is lost may have posted it late, any time until the backup was put back.
  const sentBy = row.reason === RESTORED ? (row.retrying_since ?? row.changed_at) : sentAt;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const history = await client.conversations.history({
      channel,
      oldest: String(later(sentAt, -machine.pace.lookBeforeMs).getTime() / 1000),
      latest: String(later(sentBy, machine.pace.lookAfterMs).getTime() / 1000),
      limit: MESSAGES,
      include_all_metadata: true,
      ...(cursor !== undefined && { cursor }),
    });
    const ours = (history.messages ?? [])
      .map((one) => carrier.safeParse(one))
      .find(({ data }) => data?.metadata.event_payload.occurrence === row.id);
    if (ours?.data) return { kind: 'found', ts: ours.data.ts, conversation: channel };
    cursor = history.has_more ? history.response_metadata?.next_cursor : undefined;
    if (!cursor) return { kind: 'absent' };
  }
  // More was said there than we read: nobody can say that it is absent.
  return { kind: 'cannot-look' };
}

const carrier = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(DIGEST_POSTED),
    event_payload: z.object({ occurrence: z.string() }),
  }),
});

/** History is read by a conversation's own id, and not by a person's. */
async function conversationOf(machine: Machine, client: WebClient, row: OccurrenceRow): Promise<string> {
  if (!isPersonal(row)) return row.channel;
  const known = row.conversation ?? (await knownConversation(machine.db, row.digest));
  if (known !== undefined) return known;
  const opened = await client.conversations.open({ users: row.channel });
  return opened.channel?.id ?? row.channel;
}
