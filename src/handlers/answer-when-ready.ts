import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { within } from '../promises.ts';
import { plainSection, section } from '../slack/blocks.ts';
import { addBlocks, buildFallbackText, type Message } from '../slack/message.ts';
import { buildModal, type Modal } from '../slack/message-view.ts';
import { getSlackErrorCode, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { buildUnsureMessage } from './bolt/failure.ts';
import type { Call, OpenedView, SubmissionCall } from './call.ts';

/** Names nobody who is slow, because it may be Upnext itself. */
export const TAKES_LONGER = 'This takes longer than usual.';
/** Slack can't edit this reply later, so the text must stay true after the result has arrived. */
const INTERIM_MESSAGE: Message = { text: `${TAKES_LONGER} What you asked for follows.` };

/** Replies with the message of `work`. If that takes long, first replies that the message follows. */
export async function answerWhenReady(
  call: Pick<Call, 'context' | 'reply' | 'acknowledge'>,
  work: Promise<Message>,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  const earlyMessage = await within(call.context.pace.slowNoticeDelayMs, work);
  if (!earlyMessage) {
    await call.acknowledge();
    await call.reply(INTERIM_MESSAGE, { replace, isInterim: true });
  }
  await call.reply(earlyMessage ?? (await work), { replace });
}

/** What a form's handler has found out: errors by field (plain text), or the view that says what it did. */
export type FormResult = { errors: Record<string, string> } | { view: Modal; finish?(): Promise<void> };

/**
 * Answers a submitted form with the result of `work`. If that takes long, first answers with the interim view, which the
 * result replaces. `change`: set if the work changes something. Its `errorTitle` is that of late errors, and its `command` shows
 * whether the work was done if it fails. The person also gets the result of a change after closing the view.
 */
export async function answerFormWhenReady(
  call: SubmissionCall,
  work: Promise<FormResult>,
  interimView: Modal,
  change?: { command: string; errorTitle?: string },
): Promise<FormResult> {
  const earlyResult = await call.inTime(work);
  if (earlyResult) return earlyResult;
  return {
    view: interimView,
    async finish() {
      await delay(call.context.pace.afterAcknowledgementMs);
      const result: FormResult = await work.catch((err: unknown) => {
        call.log.error({ reference: call.reference, err }, 'request failed');
        call.recordOutcome?.('unknown');
        const message = buildUnsureMessage(call.reference, change?.command);
        return { view: buildModal(change ? 'Not sure' : 'Not loaded', addBlocks(message).blocks) };
      });
      if ('errors' in result) call.recordOutcome?.('unchanged');
      const view = 'errors' in result ? buildErrorView(change?.errorTitle, result.errors) : result.view;
      try {
        const isShown = await call.answer({ view }).catch((error: unknown) => {
          if (!isViewChangedOrClosed(error)) throw error;
        });
        if (isShown !== true && change?.errorTitle !== undefined) {
          const blocks = [section(`*${view.title.text}*`), ...view.blocks];
          await call.reply({ text: buildFallbackText(blocks), blocks });
        }
      } finally {
        if ('view' in result) await result.finish?.();
      }
    },
  };
}

/** Builds the view of errors that come too late for the fields of the form. */
function buildErrorView(title = 'Not done', errors: Record<string, string>): Modal {
  return buildModal(title, [
    ...Object.values(errors).map(plainSection),
    section('Nothing was changed. Open the form again to correct it.'),
  ]);
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
