import type { KnownBlock } from '@slack/types';
import type { SendingStop } from '../../engine/sending-stop.ts';
import {
  clipLine,
  context as contextBlock,
  escapeFormatting,
  renderDateForReaders,
} from '../../slack/blocks.ts';
import type { RenderedSubmission } from './render-submission.ts';

/** Maximum length of the reason of a stop. Our own limit, because it is shown beside every waiting post. */
export const MAX_STOP_REASON_LENGTH = 200;

/** Says who stopped sending, and when (mrkdwn): "Stopped by @Ben, 22 Nov at 15:20: “wrong copy”". No full stop. */
export function renderStop({ reason, since, stopped_by: stoppedBy }: SendingStop): string {
  const person = stoppedBy === null ? 'an operator' : `<@${stoppedBy}>`;
  const shownReason = escapeFormatting(clipLine(reason, MAX_STOP_REASON_LENGTH));
  const reasonText = shownReason === '' ? '' : `: “${shownReason}”`;
  return `Stopped by ${person}, ${renderDateForReaders(since, '{date_short_pretty} at {time}')}${reasonText}`;
}

/** Renders the last attempt, or the stop that the submission waits for, and how long Upnext waits. */
export function renderRetries({ retries, stop }: Pick<RenderedSubmission, 'retries' | 'stop'>): KnownBlock[] {
  if (!retries) return [];
  if (stop) {
    const end = stop.publishAt ? `wait until ${renderEnd(stop.publishAt)}` : 'send it when that ends.';
    const resume =
      stop.stopped_by === null ? [] : ['A Manager of the project can resume it with `/upnext resume`.'];
    return [contextBlock(`${renderStop(stop)} · I’ll ${end}`, ...resume)];
  }
  const { lastTriedAt, endAt } = retries;
  const lastTried = lastTriedAt ? `Last tried ${renderDateForReaders(lastTriedAt, '{time}')} · ` : '';
  return [contextBlock(`${lastTried}I’ll ${lastTriedAt ? 'retry' : 'try'} until ${renderEnd(endAt)}`)];
}

function renderEnd(instant: Date): string {
  return `${renderDateForReaders(instant, '{date_short_pretty} at {time}')}, then ask you what to do.`;
}
