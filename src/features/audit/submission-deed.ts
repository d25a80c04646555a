import { escapeText } from '../../slack/blocks.ts';
import type { State } from '../../submissions/lifecycle.ts';
import { type AuditNames, type DeedRow, renderName, renderPlace } from './deed-parts.ts';
import type { Deed } from './deeds.ts';

/** How a sentence about a submission ends. `isAttempt`: whether the service certainly doesn't have the submission. */
interface Ending {
  isAttempt: boolean;
  text: string;
}

const PENDING: Ending = { isAttempt: false, text: ' (pending)' };
const UNKNOWN: Ending = { isAttempt: false, text: ' (result unknown)' };
const ENDINGS: Readonly<Record<State, Ending>> = {
  saved: PENDING,
  sending: PENDING,
  retryable: PENDING,
  unknown: UNKNOWN,
  reconciling: UNKNOWN,
  'needs-person': UNKNOWN,
  confirmed: { isAttempt: false, text: '' },
  refused: { isAttempt: true, text: ', but the service refused it' },
  'gave-up': { isAttempt: true, text: ', but I couldn’t reach the service' },
  discarded: { isAttempt: true, text: ', but discarded it' },
};

/** Returns the ending of a sentence about a submission. A deleted submission's state is unknown. */
export function getEnding({ action, target }: DeedRow, { submissions }: AuditNames): Ending {
  if (!action.startsWith('send ')) return { isAttempt: false, text: '' };
  const submission = submissions.get(target);
  return submission ? ENDINGS[submission.state] : UNKNOWN;
}

/** Renders what the author wanted to do (mrkdwn). */
export function renderSubmissionDeed(row: DeedRow, names: AuditNames): Deed {
  const submission = names.submissions.get(row.target);
  const kind = row.action.slice('send '.length);
  const place = (preposition: string) => renderPlace(row, names, preposition, submission?.projectName);
  const subject = submission?.subject === undefined ? undefined : renderName(submission.subject);
  switch (kind) {
    case 'post': {
      if (submission?.isDraft) return `save a draft${place('in')}`;
      const time = submission?.time === undefined ? '' : ` for ${escapeText(submission.time)}`;
      return `${submission ? 'schedule' : 'submit'} a post${place('in')}${time}`;
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
