import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { later } from '../delivery/later.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** The event type in the metadata of a direct message, by which it can be found again. */
export const NOTIFICATION_EVENT = 'submission_notification';

/** Identifies the notification of one state of a submission. */
export function notificationKey({ id, fence, state }: Pick<SubmissionRow, 'id' | 'fence' | 'state'>): string {
  return `${id} ${fence} ${state}`;
}

/**
 * Messages to search. Slack returns at most 15 to some apps. With more messages since, the notification may be sent
 * twice.
 */
const MESSAGES = 15;
/** Maximum difference between Slack's clock and ours. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

const carrier = z.object({
  metadata: z.object({
    event_type: z.literal(NOTIFICATION_EVENT),
    event_payload: z.object({ notification: z.string() }),
  }),
});

/**
 * Whether the author got this notification after `since`. False if that can't be found out: two notifications are better
 * than none. Throws on temporary failures of Slack.
 */
export async function wasNotified(
  machine: Pick<Machine, 'log'>,
  client: WebClient,
  row: SubmissionRow,
  since: Date,
): Promise<boolean> {
  try {
    const { channel } = await client.conversations.open({ users: row.author });
    const history = await client.conversations.history({
      channel: channel?.id ?? '',
      oldest: String(later(since, -MAX_CLOCK_DIFFERENCE_MS).getTime() / 1000),
      limit: MESSAGES,
      include_all_metadata: true,
    });
    const marks = (history.messages ?? []).map(
      (one) => carrier.safeParse(one).data?.metadata.event_payload.notification,
    );
    return marks.includes(notificationKey(row));
  } catch (error) {
    if (isTransient(error)) throw error;
    machine.log.warn({ submission: row.id, err: error }, 'could not look up an earlier notification');
    return false;
  }
}
