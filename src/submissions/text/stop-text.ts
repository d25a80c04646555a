import type { KnownBlock } from '@slack/types';
import { findSendingStop, type SendingStop } from '../../delivery/sending-stop.ts';
import {
  clip,
  context as contextBlock,
  escapeText,
  renderDateForReaders,
  sanitizeLine,
} from '../../slack/blocks.ts';
import type { TextContext } from '../kind.ts';
import type { SubmissionRow } from '../sql/submissions.ts';
import type { SubmissionContext } from '../submission-context.ts';
import { createTextContext, type RenderedSubmission, renderSubmission } from './render-submission.ts';

/** Maximum length of the reason of a stop. Our own limit, because it is shown beside every waiting post. */
export const MAX_STOP_REASON_LENGTH = 200;

/** Says who stopped sending, and when (mrkdwn): "Stopped by @Ben, 22 Nov at 15:20: “wrong copy”". No full stop. */
export function renderStop({ reason, since, stopped_by: stoppedBy }: SendingStop): string {
  const person = stoppedBy === null ? 'an operator' : `<@${stoppedBy}>`;
  const shownReason = escapeText(clip(sanitizeLine(reason), MAX_STOP_REASON_LENGTH));
  const reasonText = shownReason === '' ? '' : `: “${shownReason}”`;
  return `Stopped by ${person}, ${renderDateForReaders(since, '{date_short_pretty} at {time}')}${reasonText}`;
}

/** Renders a submission. If it waits because sending is stopped, the text says who stopped it. */
export async function renderSubmissionWithStop(
  context: SubmissionContext,
  row: SubmissionRow,
  {
    textContext = createTextContext(context),
    ...options
  }: { textContext?: TextContext; areButtonsForAll?: boolean } = {},
): Promise<RenderedSubmission> {
  const isStopped = row.state === 'retryable' && row.reason === 'sending-stopped';
  const stop = isStopped ? await findSendingStop(context.db, row) : undefined;
  return { ...renderSubmission(context, row, textContext, options), stop };
}

/** Renders the last attempt, or the stop that the submission waits for, and the end of the retries. */
export function renderRetries({ retries, stop }: RenderedSubmission): KnownBlock[] {
  if (!retries) return [];
  const end = renderDateForReaders(retries.endAt, '{date_short_pretty} at {time}');
  if (stop)
    return [
      contextBlock(
        `${renderStop(stop)} · I’ll wait until ${end}, then ask you what to do.`,
        ...(stop.stopped_by === null
          ? []
          : ['A Manager of the project can resume it with `/upnext resume`.']),
      ),
    ];
  const lastTried = renderDateForReaders(retries.lastTriedAt, '{time}');
  return [contextBlock(`Last tried ${lastTried} · I’ll retry until ${end}, then ask you what to do.`)];
}
