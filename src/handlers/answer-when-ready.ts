import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { within } from '../promises.ts';
import type { Message } from '../slack/message.ts';
import { getSlackErrorCode, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import type { Call, OpenedView, SubmissionCall } from './call.ts';

/** Slack can't edit this reply later, so the text must stay true after the result has arrived. */
const SLOW_SERVICE_MESSAGE: Message = {
  text: 'The scheduling service is slow. What you asked for follows.',
};

/** Replies with the message of `work`. If that takes long, first replies that the message follows. */
export async function answerWhenReady(
  call: Pick<Call, 'context' | 'reply' | 'acknowledge'>,
  work: Promise<Message>,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  const earlyMessage = await within(call.context.pace.slowNoticeDelayMs, work);
  if (!earlyMessage) {
    await call.acknowledge();
    await call.reply(SLOW_SERVICE_MESSAGE, { replace, isInterim: true });
  }
  await call.reply(earlyMessage ?? (await work), { replace });
}

/** Answers a submitted form with the view of `work`. If that takes long, first answers with the interim view. */
export async function answerFormWhenReady(
  { context: { pace }, client, view: { id }, inTime }: SubmissionCall,
  work: Promise<ModalView>,
  interimView: ModalView,
): Promise<{ view: ModalView; finish?(): Promise<void> }> {
  const earlyView = await inTime(work);
  if (earlyView) return { view: earlyView };
  return {
    view: interimView,
    async finish() {
      const [view] = await Promise.all([work, delay(pace.afterAcknowledgementMs)]);
      await updateOpenView(client, id, view);
    },
  };
}

/** Shows a late result in the view that waits for it, or replies with its text if the person has closed the view. */
export async function showLateResult(
  call: Pick<SubmissionCall, 'answer' | 'reply'>,
  view: ModalView,
  text: string,
): Promise<void> {
  try {
    await call.answer({ view });
  } catch (error) {
    if (!isViewChangedOrClosed(error)) throw error;
    await call.reply({ text });
  }
}

/**
 * Updates a view that has one of the hashes, or another one if the update is still valid. Without a hash, updates any
 * view. Undefined if another request changed the view, or the person closed it.
 */
export async function updateOpenView(
  client: Call['client'],
  view_id: string,
  view: ModalView,
  condition: {
    hashes?: readonly (string | undefined)[];
    isStillValid?: (() => Promise<boolean>) | undefined;
  } = {},
): Promise<OpenedView | undefined> {
  const hashes = new Set((condition.hashes ?? []).filter((hash) => hash !== undefined));
  for (const hash of [...hashes, undefined]) {
    if (hash === undefined && hashes.size > 0 && !(await condition.isStillValid?.())) return undefined;
    try {
      const response = await client.views.update({ view_id, view, ...(hash !== undefined && { hash }) });
      return { id: view_id, ...(response.view?.hash !== undefined && { hash: response.view.hash }) };
    } catch (error) {
      if (getSlackErrorCode(error) === 'hash_conflict') continue;
      if (isViewChangedOrClosed(error)) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** Limits the time since a request arrived. Defaults to the time until its acknowledgement is due. */
export function createTimeLimit(
  call: Pick<Call, 'context' | 'receivedAt'>,
  limitMs = call.context.pace.acknowledgementTimeoutMs,
): Pick<SubmissionCall, 'getRemainingMs' | 'inTime'> {
  const dueAt = call.receivedAt + limitMs;
  const getRemainingMs = () => Math.max(0, dueAt - performance.now());
  return { getRemainingMs, inTime: (work) => within(getRemainingMs(), work) };
}
