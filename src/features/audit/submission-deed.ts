import type { Deed } from '../../access/access.ts';
import { escapeText } from '../../slack/blocks.ts';
import type { State } from '../../submissions/submission.ts';
import { type AuditNames, type DeedRow, renderName, renderPlace } from './deed-parts.ts';

/**
 * The ending of a sentence about a submission. `isAttempt`: whether the sentence says "tried to", because the service
 * certainly doesn't have the submission. `note`: a remark in brackets.
 */
interface Ending {
  isAttempt: boolean;
  clause?: string;
  note?: string;
}

const PENDING: Ending = { isAttempt: false, note: 'pending' };
const UNKNOWN: Ending = { isAttempt: false, note: 'result unknown' };
const ENDINGS: Readonly<Record<State, Ending>> = {
  saved: PENDING,
  sending: PENDING,
  retryable: PENDING,
  unknown: UNKNOWN,
  reconciling: UNKNOWN,
  'needs-person': UNKNOWN,
  confirmed: { isAttempt: false },
  refused: { isAttempt: true, clause: ', but the service refused it' },
  'gave-up': { isAttempt: true, clause: ', but I couldn’t send it' },
  discarded: { isAttempt: true, clause: ', but discarded it' },
};

/** Returns the ending of a sentence about a submission. A deleted submission's state is unknown. */
export function getEnding(
  { action, target }: DeedRow,
  { submissions }: AuditNames,
): { isAttempt: boolean; text: string } {
  if (!action.startsWith('send ')) return { isAttempt: false, text: '' };
  const submission = submissions.get(target);
  const { isAttempt, clause = '', note } = submission ? ENDINGS[submission.state] : UNKNOWN;
  const retriesText = renderRetries(submission?.retryCount ?? 0);
  return { isAttempt, text: `${clause}${retriesText}${note === undefined ? '' : ` (${note})`}` };
}

function renderRetries(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' after 1 retry' : ` after ${count} retries`;
}

/** Renders the author's deed (mrkdwn). */
export function renderSubmissionDeed(row: DeedRow, names: AuditNames): Deed {
  const submission = names.submissions.get(row.target);
  const kind = row.action.slice('send '.length);
  const place = (preposition: string) => renderPlace(row, names, preposition, submission?.projectName);
  const subject = submission?.subject === undefined ? undefined : renderName(submission.subject);
  switch (kind) {
    case 'post': {
      const excerpt = submission?.excerpt ? ` “${renderName(submission.excerpt)}”` : '';
      if (submission?.isDraft) return `save a draft${excerpt}${place('in')}`;
      const time = submission?.time === undefined ? '' : ` for ${escapeText(submission.time)}`;
      return `${submission ? 'schedule' : 'submit'} a post${excerpt}${place('in')}${time}`;
    }
    case 'prompt':
      return `create ${subject === undefined ? 'a prompt' : `the prompt “${subject}”`}${place('in')}`;
    case 'source-update':
      return `change ${subject === undefined ? 'a source' : `the source “${subject}”`}${place('in')}`;
    case 'invitation':
      return `invite ${subject ?? 'someone'}${place('to')}`;
    case 'user-update':
      return `change the role of ${subject ?? 'a user'}${place('in')}`;
    case 'webhook-deletion':
      return `delete the webhook${place('of')}`;
    case 'file-deletion':
      return `delete a file of the scheduling service`;
    default:
      return `send something that this version of Upnext doesn’t know${place('in')}`;
  }
}
