import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { addMs } from '../engine/clock.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { MessageAddress } from '../slack/tell-once.ts';
import type { SubmissionContext } from './submission-context.ts';

/** The event type in a notification's metadata. */
export const NOTIFICATION_EVENT = 'submission_notification';

/** A delivery whose author was notified of its state. */
interface NotifiedRow {
  id: string;
  fence: number;
  state: string;
  author: string;
  /** The channel that was notified instead of the author. */
  notifiedChannel?: string;
  /** The `ts` of the message to which the notification is a reply. */
  thread?: string | undefined;
}

/** A message that was found. `isShared`: it is about several deliveries. */
type FoundNotification = MessageAddress & { isShared: boolean };

/** Computes the key of the notification about a delivery's state. A message about several has one key on each line. */
export function computeNotificationKey({
  id,
  fence,
  state,
}: Pick<NotifiedRow, 'id' | 'fence' | 'state'>): string {
  return `${id} ${fence} ${state}`;
}

/**
 * Maximum number of messages to search. Slack returns at most 15 messages to some apps. After more than 15 newer
 * messages, a notification may be sent twice.
 */
const MAX_MESSAGES = 15;
/** Maximum difference between Slack's clock and the monotonic clock. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

const notificationMessage = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(NOTIFICATION_EVENT),
    event_payload: z.object({ notification: z.string() }),
  }),
});

/**
 * Finds the message that notified the author of the state after `since`. Undefined if there is none. Throws after a
 * temporary failure. After a permanent failure, returns undefined, because two notifications are better than none.
 */
export async function findNotification(
  context: Pick<SubmissionContext, 'log'>,
  client: WebClient,
  row: NotifiedRow,
  since: Date,
): Promise<FoundNotification | undefined> {
  try {
    const channel =
      row.notifiedChannel ?? (await client.conversations.open({ users: row.author })).channel?.id ?? '';
    const { conversations } = client;
    const query = {
      channel,
      oldest: String(addMs(since, -MAX_CLOCK_DIFFERENCE_MS).getTime() / 1000),
      limit: MAX_MESSAGES,
      include_all_metadata: true,
    };
    const found =
      row.thread === undefined
        ? await conversations.history(query)
        : await conversations.replies({ ...query, ts: row.thread });
    const notificationKey = computeNotificationKey(row);
    for (const candidate of found.messages ?? []) {
      const message = notificationMessage.safeParse(candidate).data;
      const keys = message?.metadata.event_payload.notification.split('\n') ?? [];
      if (message && keys.includes(notificationKey))
        return { channel, ts: message.ts, isShared: keys.length > 1 };
    }
    return undefined;
  } catch (error) {
    if (isTransient(error)) throw error;
    context.log.warn({ submission: row.id, err: error }, 'search for an earlier notification failed');
    return undefined;
  }
}
