import type { WebClient } from '@slack/web-api';
import type { Attempt } from '../../engine/notifier.ts';
import type { Message } from '../../slack/message.ts';
import { notifyOnce } from '../../slack/notify-once.ts';
import { type ReaderCheck, renderNoLongerShown } from '../../slack/readers.ts';
import { isTransient } from '../../slack/slack-errors.ts';
import { isDatabaseFailure } from '../../store/database-unavailable.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { saveHeldPostMessages } from '../sql/messages.ts';
import type { Notice } from './notices.ts';

/** The notification of a post, whose messages go to several people and channels. */
export interface PostNotification {
  context: HeldPostContext;
  client: WebClient;
  row: HeldPostRow;
  attempt: Attempt;
  readers: ReaderCheck;
}

interface PostMessage {
  /** The posts of which it tells. Defaults to that of the notification, which logs name in any case. */
  rows?: readonly HeldPostRow[];
  purpose: Notice['purpose'] | 'review' | 'nudge';
  /** The Slack id of a person, or the id of a conversation. */
  to: string;
  /** The `ts` of the message in that conversation to which this one replies. */
  thread?: string | undefined;
  /** Lists keys of what the message tells of a post. The last one distinguishes messages for the same purpose. */
  getTold(row: HeldPostRow): readonly string[];
  render(rows: readonly HeldPostRow[]): Promise<Message> | Message;
  /** What is sent to whoever may not read of the posts any more. Without it, they get nothing. */
  renderHidden?(rows: readonly HeldPostRow[]): Message;
  /** The Slack id of the person or channel that is notified; absent for requests to review one post in a channel. */
  recipient?: string | undefined;
  /** Lists the people to tell instead if the person can't be reached. */
  listStandIns?(): Promise<readonly string[]>;
}

/** A notification depends on a lookup that has failed, or on another instance, so it is repeated. */
export class NotYet extends Error {}

/**
 * Sends a message about one post or several, unless an earlier attempt has sent it, and records it. Resolves with false if
 * Slack refuses it for good, or its readers may not read of the posts. Throws if it is to be tried again.
 */
export async function notifyOfPost(
  { context, client, row, attempt, readers }: PostNotification,
  { rows = [row], purpose, to, thread, getTold, recipient, render, listStandIns, ...message }: PostMessage,
): Promise<boolean> {
  const { db, log, clock, pace } = context;
  const mayRead = async (place: string) => {
    const person = place === to ? recipient : undefined;
    for (const { project } of rows)
      if (!(await readers.mayRead({ channel: place, person }, project))) return false;
    return true;
  };
  const { renderHidden } = message;
  if (!renderHidden && !(await mayRead(to))) return false;
  const result = await tryCall(context, row, () =>
    notifyOnce({ client, log }, attempt, {
      ...{ to, thread, rows, mayRead, render, onCrashPoint: pace.onCrashPoint },
      renderHidden: (hidden) => renderHidden?.(hidden) ?? renderNoLongerShown({ channel: to }),
      getSubject: (post) => `${purpose} ${getTold(post).at(-1) ?? ''}`,
      record({ channel, ts, isShared }, [first = row, ...others]) {
        const changesWithPost = thread === undefined && !isShared;
        const isNudge = purpose === 'nudge' && !isShared;
        const message = {
          ...{ channel, ts, sent_at: clock.readShared() },
          purpose: isNudge
            ? 'nudge'
            : !changesWithPost
              ? 'reminder'
              : purpose === 'review'
                ? 'review'
                : 'card',
          ...(recipient !== undefined && { recipient }),
        } as const;
        const about = (post: HeldPostRow) => ({
          ...{ ...message, workspace: post.workspace, held_post: post.id, told: getTold(post) },
        });
        return saveHeldPostMessages(db, about(first), ...others.map(about));
      },
      ...(listStandIns && { listStandIns }),
    }),
  );
  if (result === 'later') throw new NotYet('a newer notification or another instance has the post');
  return result === 'notified';
}

/** Makes a call to Slack. Resolves with undefined after a permanent failure, and throws after a temporary one. */
export async function tryCall<Result>(
  { log }: HeldPostContext,
  { id }: HeldPostRow,
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isTemporary(error)) throw error;
    log.warn({ id, err: error }, 'Slack refused a message about a held post');
    return undefined;
  }
}

/** Whether a failed message may succeed later. */
export function isTemporary(error: unknown): boolean {
  return isTransient(error) || isDatabaseFailure(error) || error instanceof NotYet;
}
