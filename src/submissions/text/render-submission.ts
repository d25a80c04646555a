import type { KnownBlock } from '@slack/types';
import { addMs } from '../../engine/clock.ts';
import type { SendingStop } from '../../engine/sending-stop.ts';
import { describePost } from '../../posts/describe-post.ts';
import { STATUS_EMOJI } from '../../posts/post-status.ts';
import type { PublicationState, SentState } from '../../posts/state-copy.ts';
import { renderNameInWords } from '../../slack/name.ts';
import { describeFailure, renderServiceFailure } from '../../slack/service-failure.ts';
import { clip } from '../../words.ts';
import { computeRemainingRetryMs } from '../apply-send-outcome.ts';
import { decryptRefusal, getProblems, type Problem, readContent, type ServiceRefusal } from '../content.ts';
import type { TextContext } from '../kind.ts';
import { getStateCopy, type SubmissionRow } from '../submission.ts';
import type { ShownPost, SubmissionContext } from '../submission-context.ts';

export interface RenderedSubmission {
  id: string;
  stateCopy: ReturnType<typeof getStateCopy>;
  /** "post", "invitation" …, for sentences. */
  noun: string;
  title: string;
  /** The title without what the details say too. */
  titleAboveDetails: string;
  doneText: string;
  doneTitle: string;
  /** The emoji of a confirmed submission. For a post, the emoji of its status. */
  doneEmoji: string;
  /** Warning about sending again; '' if there is none. */
  resendWarning: string;
  text: string;
  notes: readonly string[];
  details: readonly KnownBlock[];
  refusal: ServiceRefusal | undefined;
  /** When the last attempt ended, if there was one, and when the retries end. Undefined if Upnext isn't retrying. */
  retries: { lastTriedAt: Date | undefined; endAt: Date } | undefined;
  /** The stop that the submission waits for, and its publishing time. Undefined if there is none. */
  stop: (SendingStop & { publishAt: Date | null }) | undefined;
  /** The post, which is shown instead of the submission. Undefined if the submission isn't one, or says all there is. */
  post?: ShownPost | undefined;
}

export interface RenderOptions {
  /** See `TextContext`. */
  reader?: TextContext['reader'];
  /** What became of a confirmed post at its time. Defaults to unknown. */
  publication?: PublicationState | undefined;
  /** The stop that the submission waits for. Defaults to none. */
  stop?: SendingStop | undefined;
}

/** Renders the text of a submission. Without readable content, renders only the state. */
export function renderSubmission(
  context: Pick<SubmissionContext, 'encryption' | 'findKind' | 'log' | 'clock' | 'pace'>,
  row: SubmissionRow,
  { reader, publication, stop }: RenderOptions = {},
): RenderedSubmission {
  const textContext = { now: context.clock.now(), reader };
  const kind = context.findKind(row.kind);
  const noun = row.kind.replaceAll('-', ' ');
  const refusal = decryptRefusal(context, row);
  const contentResult = readContent(context, kind, row);
  const notFoundText = (contentResult && kind?.copy.renderNotFound?.(contentResult.content)) ?? '';
  const stateCopy = getStateCopy(row);
  // The content of a submission that has ended may be deleted.
  const isUnreadable = !contentResult && row.content !== null && stateCopy.waitsFor !== 'nobody';
  const because = renderReason(row.state, refusal, notFoundText);
  const { name, sentence, emoji } = describePost(
    { sent: row, noun, because, publication },
    { viewers: {}, now: textContext.now },
  );
  const commonFields = {
    id: row.id,
    noun,
    stateCopy: { ...stateCopy, sentence, ...(isUnreadable && describeUnreadable(stateCopy)) },
    refusal,
    retries: isUnreadable ? undefined : findRetries(context, row),
    stop: stop && { ...stop, publishAt: row.publish_at },
  };
  const publicationTexts = publication && {
    doneTitle: name,
    doneText: sentence,
    doneEmoji: emoji,
    notes: [],
  };
  if (!kind || !contentResult) {
    const fallbackTexts = {
      title: `Your ${noun}`,
      titleAboveDetails: `Your ${noun}`,
      doneText: 'Done.',
      doneTitle: 'Done',
      doneEmoji: DONE_EMOJI,
      resendWarning: '',
      text: '',
      notes: [],
    };
    return { ...commonFields, ...fallbackTexts, ...publicationTexts, details: [] };
  }
  const { content } = contentResult;
  const { copy, post } = kind;
  const title = copy.renderTitle(content, textContext);
  const doneContext = { ...textContext, serviceId: row.service_id };
  const note = copy.renderDoneNote?.(content, doneContext);
  return {
    ...commonFields,
    title,
    titleAboveDetails: post?.renderTitleAboveDetails(content, textContext) ?? title,
    doneText: copy.renderDone(content, doneContext),
    doneTitle: copy.renderDoneTitle?.(content) ?? 'Done',
    doneEmoji: getDoneEmoji(post?.toPost(content).status),
    resendWarning: copy.renderResendWarning?.(content) ?? '',
    text: copy.getText(content),
    notes: note === undefined ? [] : [note],
    ...publicationTexts,
    details: copy.renderDetails(content, textContext),
  };
}

/** What is said of a submission whose content can't be read, as long as that lasts. It can only be discarded. */
function describeUnreadable({ remote, waitsFor, buttons }: ReturnType<typeof getStateCopy>) {
  const isWaiting = remote === 'absent' && waitsFor === 'upnext';
  const outcome = remote === 'absent' ? 'Not sent' : 'I don’t know whether it was sent';
  return {
    name: 'Unreadable',
    sentence: isWaiting
      ? 'Saved, not sent yet. I can’t read it, so ask whoever runs Upnext. I’ll keep retrying.'
      : `${outcome}, and I can’t read it. Ask whoever runs Upnext.`,
    buttons: buttons.filter((button) => button === 'discard'),
  };
}

/** Finds the times of a row's retries, on the clock that people see. */
export function findRetries(
  context: Pick<SubmissionContext, 'clock' | 'pace'>,
  row: SubmissionRow,
): RenderedSubmission['retries'] {
  if (row.state !== 'retryable') return undefined;
  const now = context.clock.now();
  // A post that has only waited, for example for a service that is down, was never tried.
  const wasTried = row.attempts > 0;
  return {
    lastTriedAt: wasTried
      ? addMs(now, row.changed_at.getTime() - context.clock.readShared().getTime())
      : undefined,
    endAt: addMs(now, computeRemainingRetryMs(context, row)),
  };
}

/** Maximum number of problems to show. The service may return thousands. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 500;

/** Renders the headline of a submission; plain text. */
export function renderHeadline({ stateCopy, doneText, resendWarning }: RenderedSubmission): string {
  const { state, sentence, buttons } = stateCopy;
  if (state === 'confirmed') return doneText;
  const isUncertain = state === 'unsure' && buttons.includes('send-again');
  return `${sentence} ${isUncertain ? resendWarning : ''}`.trim();
}

/** Renders why a submission isn't sent. Undefined if the service hasn't said anything about it. */
export function renderReason(
  state: SentState,
  refusal: ServiceRefusal | undefined,
  notFoundText = '',
): string | undefined {
  if (!refusal) return undefined;
  if (state !== 'retryable' && state !== 'gave-up') return renderRefusal(refusal, notFoundText);
  // A refused post isn't retried. So the service refused its list of posts, or our access to it.
  if (refusal.kind !== 'refused') return undefined;
  return refusal.status === 402
    ? renderServiceFailure(refusal)
    : `The scheduling service hasn’t ${describeFailure(refusal)}.`;
}

function renderRefusal(refusal: ServiceRefusal, notFoundText: string): string {
  if (refusal.kind === 'refused' && refusal.status === 404 && notFoundText !== '') return notFoundText;
  if (refusal.kind !== 'invalid') return renderServiceFailure(refusal);
  const fieldCount = new Set(refusal.problems.flatMap(({ field }) => field ?? [])).size;
  if (fieldCount === 0) return 'The service didn’t accept this.';
  return fieldCount === 1
    ? 'One field needs a change.'
    : `${NUMBER_WORDS[fieldCount] ?? fieldCount} fields need a change.`;
}

const NUMBER_WORDS: Readonly<Record<number, string>> = { 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

/** Renders the problems that the service named, one per line; plain text, '' if there are none. */
export function renderProblemLines({ refusal }: Pick<RenderedSubmission, 'refusal'>): string {
  return refusal ? renderProblems(getProblems(refusal)) : '';
}

/** Renders problems, one per line; plain text. */
export function renderProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ field, message }) =>
    field === undefined ? message : `${renderNameInWords(field)}: ${message}`,
  );
  const listedLines = lines.slice(0, MAX_PROBLEMS).map((line) => `• ${clip(line, MAX_PROBLEM_LENGTH)}`);
  const hiddenCount = lines.length - listedLines.length;
  return [...listedLines, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more.`] : [])].join('\n');
}

/** The emoji of confirmed submissions without a post status, such as invitations. */
const DONE_EMOJI = '☑️';

function getDoneEmoji(postStatus: string | undefined): string {
  if (postStatus === 'DRAFT' || postStatus === 'SCHEDULED') return STATUS_EMOJI[postStatus];
  return DONE_EMOJI;
}

/** Returns the emoji of a submission's state. Lists of posts show the same emoji. */
export function getStateEmoji({ stateCopy, doneEmoji }: RenderedSubmission): string {
  return stateCopy.state === 'confirmed' ? doneEmoji : stateCopy.emoji;
}
