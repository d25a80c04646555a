import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { Attempt } from '../engine/notifier.ts';
import { isPersonId } from './actor.ts';
import { section } from './blocks.ts';
import { isDeactivated, type SlackCall } from './fetch-people.ts';
import { disableParsing, filterButtons, type Message } from './message.ts';
import { getSlackErrorCode, isTransient, isUndeliverable } from './slack-errors.ts';

/** The address of a message in Slack. Ephemeral messages have none. */
export const messageAddress = z.object({ channel: z.string(), ts: z.string() });
export type MessageAddress = z.infer<typeof messageAddress>;

/** The event type in the metadata of a message that tells of rows. */
const EVENT = 'upnext_told';
/**
 * Maximum number of messages to search. Slack returns at most 15 messages to some apps. After more than 15 newer
 * messages, people may be told twice.
 */
const MAX_MESSAGES = 15;
/** Maximum number of keys in a message's metadata. After a crash, people are told again of the other rows. */
const MAX_KEYS = 50;
/** Maximum difference between Slack's clock and the clock of leases. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** A row that people are told of. It may enter the same state again, so the time is part of its key. */
interface NotifiedRow {
  id: string;
  state: string;
  changed_at: Date;
}

/** A message that was sent or found. `isShared`: it tells of other rows too, or was for somebody else. */
type NotificationMessage = MessageAddress & { isShared: boolean };

interface OnceMessage<Row> {
  /** The person's Slack id, or the id of a conversation. */
  to: string;
  /** The `ts` of the message in a conversation to which this one replies. */
  thread?: string | undefined;
  rows: readonly Row[];
  /** Distinguishes messages about a row in the same state. Defaults to one message a state. */
  getSubject?(row: Row): string;
  /** Whether whoever reads messages in this place may read of the rows now, see `ReaderCheck`. */
  mayRead(to: string): Promise<boolean> | boolean;
  render(rows: readonly Row[]): Promise<Message> | Message;
  /** What they get who may not. */
  renderHidden(rows: readonly Row[]): Message;
  /** Records the message that tells of these rows, also one of an earlier attempt. */
  record?(message: NotificationMessage, rows: readonly Row[]): Promise<void>;
  /**
   * Lists the people to tell instead if the person can't be reached. The first who can be reached is told. Undefined if
   * they couldn't be found out, so that it is tried again.
   */
  listStandIns?(): Promise<readonly string[] | undefined>;
  onCrashPoint?: ((point: 'before-message' | 'after-message') => void | Promise<void>) | undefined;
}

type NotifyContext = Pick<SlackCall, 'client' | 'log'>;

/**
 * Sends one message about rows, except those of which an earlier attempt has told. Searches once for all rows, and only
 * if there was an earlier attempt. Throws if Slack fails or refuses; after a failure, the next attempt searches first.
 */
export async function notifyOnce<Row extends NotifiedRow>(
  context: NotifyContext,
  attempt: Attempt,
  once: OnceMessage<Row>,
): Promise<'notified' | 'later'> {
  try {
    return await notify(context, attempt, once);
  } catch (error) {
    if (!once.listStandIns || !isUndeliverable(error)) throw error;
    const standIns = await once.listStandIns();
    if (!standIns) return 'later';
    for (const to of standIns) {
      if (!(await once.mayRead(to))) continue;
      const forwarded = {
        ...once,
        to,
        render: async (rows: readonly Row[]) => forwardMessage(await once.render(rows), once.to),
        ...(once.record && {
          record: async (message: NotificationMessage, rows: readonly Row[]) =>
            once.record?.({ ...message, isShared: true }, rows),
        }),
      };
      const result = await notify(context, attempt, forwarded).catch((standInError: unknown) => {
        // Only a refusal by Slack means that this one wasn't told either.
        if (isTransient(standInError) || getSlackErrorCode(standInError) === undefined) throw standInError;
      });
      if (result) return result;
    }
    throw error;
  }
}

/**
 * Returns how long to wait for access to a workspace. Slack may refuse a token for days, which doesn't count as attempts
 * to notify somebody. `unknown`: it couldn't be checked.
 */
export function waitForAccess(client: 'unknown' | undefined): { waitMs: number } {
  return { waitMs: client === 'unknown' ? MINUTE_MS : HOUR_MS };
}

/** Builds the message for somebody else. It has no buttons, because they act for the person whom it was for. */
function forwardMessage(message: Message, person: string): Message {
  const note = `I couldn’t reach <@${person}>, so I’m telling you. This was for them:`;
  const { text, blocks = [section(text)] } = filterButtons(message, () => false);
  return { text: `${note} ${text}`, blocks: [section(note), ...blocks] };
}

async function notify<Row extends NotifiedRow>(
  { client, log }: NotifyContext,
  attempt: Attempt,
  once: OnceMessage<Row>,
): Promise<'notified' | 'later'> {
  const { to, thread, rows, getSubject = () => '', record, onCrashPoint } = once;
  const computeKey = (row: Row) =>
    [row.id, row.state, row.changed_at.getTime(), getSubject(row)].join(' ').trim();
  const earlier = attempt.earlierSince
    ? await findToldMessages({ client, log }, { to, thread, since: attempt.earlierSince })
    : [];
  let remainingRows = rows;
  for (const { address, keys } of earlier) {
    const isTold = (row: Row) => keys.includes(computeKey(row));
    const notifiedRows = remainingRows.filter(isTold);
    if (notifiedRows.length > 0) await record?.({ ...address, isShared: keys.length > 1 }, notifiedRows);
    remainingRows = remainingRows.filter((row) => !isTold(row));
  }
  if (remainingRows.length === 0) return 'notified';
  const mayRead = await once.mayRead(to);
  const message = mayRead ? await once.render(remainingRows) : once.renderHidden(remainingRows);
  if (once.listStandIns && isPersonId(to) && (await isDeactivated({ client, log, reference: to }, to)))
    throw new WebAPIPlatformError({ ok: false, error: 'user_disabled' });
  const permit = await attempt.begin();
  await onCrashPoint?.('before-message');
  if (!permit?.mayBegin()) return 'later';
  const keys = remainingRows.slice(0, MAX_KEYS).map(computeKey);
  const response = await client.chat.postMessage({
    channel: to,
    ...disableParsing(message),
    ...(thread !== undefined && { thread_ts: thread }),
    metadata: { event_type: EVENT, event_payload: { keys: keys.join('\n') } },
  });
  await onCrashPoint?.('after-message');
  const address = messageAddress.safeParse(response).data;
  if (address) await record?.({ ...address, isShared: remainingRows.length > 1 }, remainingRows);
  return 'notified';
}

const sentMessage = z.object({
  ts: z.string(),
  metadata: z.object({ event_type: z.literal(EVENT), event_payload: z.object({ keys: z.string() }) }),
});

/** After a permanent failure, returns no messages, because two messages are better than none. */
async function findToldMessages(
  { client, log }: NotifyContext,
  { to, thread, since }: { to: string; thread: string | undefined; since: Date },
): Promise<{ address: MessageAddress; keys: string[] }[]> {
  try {
    const channel = isPersonId(to)
      ? ((await client.conversations.open({ users: to })).channel?.id ?? '')
      : to;
    const query = {
      channel,
      oldest: String((since.getTime() - MAX_CLOCK_DIFFERENCE_MS) / 1000),
      limit: MAX_MESSAGES,
      include_all_metadata: true,
    };
    const { messages = [] } =
      thread === undefined
        ? await client.conversations.history(query)
        : await client.conversations.replies({ ...query, ts: thread });
    return messages.flatMap((message) => {
      const found = sentMessage.safeParse(message).data;
      if (!found) return [];
      return [{ address: { channel, ts: found.ts }, keys: found.metadata.event_payload.keys.split('\n') }];
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    log.warn({ to, err: error }, 'search for an earlier message failed');
    return [];
  }
}
