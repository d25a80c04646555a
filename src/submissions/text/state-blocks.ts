import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import { renderWaitingCount, toExcerpt } from '../../posts/post-text.ts';
import type { SentButton } from '../../posts/state-copy.ts';
import {
  actions,
  button,
  context,
  escapeText,
  plain,
  plainSection,
  renderTypedTexts,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildFallbackText, disableParsing, type Message } from '../../slack/message.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import type { EntryOptions } from '../submission-context.ts';
import {
  getStateEmoji,
  type RenderedSubmission,
  renderHeadline,
  renderProblemLines,
} from './render-submission.ts';
import { renderRetries } from './stop-text.ts';

/** Renders one submission with details. `note` describes the result of a press (mrkdwn). */
function renderStateBlocks(submission: RenderedSubmission, note?: string): KnownBlock[] {
  if (submission.post) return submission.post.renderCard(note).blocks;
  const isDone = submission.stateCopy.state === 'confirmed';
  return [
    section(`${getStateEmoji(submission)} *${escapeText(renderHeadline(submission))}*`),
    ...renderProblems(submission),
    ...(note === undefined ? [] : [section(note)]),
    ...(isDone ? [] : [context(plain(submission.titleAboveDetails)), ...renderRetries(submission)]),
    ...submission.details,
    ...(isDone ? renderNotes(submission) : []),
    ...renderButtons(submission),
  ];
}

/** Renders what people should know of a submission that is done. Slack refuses a block of small print without any. */
const renderNotes = ({ notes }: RenderedSubmission): KnownBlock[] =>
  notes.length === 0 ? [] : [context(...notes.map((line) => plain(line)))];

/**
 * Renders one of several submissions, without details. `valuePrefix`: see `renderStateButtons`. `prefix`: that of the buttons of
 * posts.
 */
export function renderShortBlocks(
  submission: RenderedSubmission,
  { valuePrefix, ...options }: EntryOptions & { valuePrefix?: string } = {},
): KnownBlock[] {
  if (submission.post) return submission.post.renderEntry(options);
  const { note, author } = options;
  return [
    section(`${getStateEmoji(submission)} *${escapeText(renderHeadline(submission))}*`),
    ...renderProblems(submission),
    ...(note === undefined ? [] : [section(note)]),
    context(
      plain(submission.title),
      ...(submission.text === '' ? [] : [plain(`“${toExcerpt(submission.text)}”`)]),
      ...(author === undefined ? [] : [`Sent by <@${author}>`]),
    ),
    ...renderRetries(submission),
    ...(valuePrefix === undefined ? renderButtons(submission) : renderStateButtons(submission, valuePrefix)),
  ];
}

/**
 * Renders all submissions of one form, or as many as `maxBlocks` has room for. `press.note`: the result of a press for the
 * submission `press.id`.
 */
export function renderStateView(
  submissions: readonly RenderedSubmission[],
  press?: { id: string; note?: string | undefined },
  maxBlocks: number = LIMITS.viewBlocks,
): ModalView {
  const unconfirmed = submissions.find(({ stateCopy }) => stateCopy.state !== 'confirmed');
  const title = unconfirmed ? unconfirmed.stateCopy.name : submissions[0]?.doneTitle;
  const isInProgress = submissions.some(({ stateCopy }) => stateCopy.waitsFor === 'upnext');
  return {
    type: 'modal',
    title: plain(title ?? 'Done', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    // The view may be on top of the submitted form.
    clear_on_close: true,
    blocks: [
      ...renderFormBlocks(submissions, press, isInProgress ? maxBlocks - 1 : maxBlocks),
      ...(isInProgress ? [context('I’ll let you know when it’s done.')] : []),
    ],
  };
}

function renderFormBlocks(
  submissions: readonly RenderedSubmission[],
  press: { id: string; note?: string | undefined } | undefined,
  maxBlocks: number,
): KnownBlock[] {
  const findNote = ({ id }: RenderedSubmission) => (press?.id === id ? press.note : undefined);
  const [first, ...others] = submissions;
  if (first && others.length === 0) return renderStateBlocks(first, findNote(first));
  const posts = submissions.flatMap(({ post, stateCopy }) => (stateCopy.state === 'confirmed' && post) || []);
  // Its button shares those that aren't shared yet.
  const post = posts.find(({ isShareable }) => isShareable) ?? posts[0];
  const isOneCard =
    !press &&
    posts.length === submissions.length &&
    posts.every(({ sameness }) => sameness === post?.sameness);
  if (post && isOneCard) return post.renderTimes(posts.map(({ line }) => line));
  return renderAsManyAsFit(submissions, maxBlocks, (one) => renderShortBlocks(one, { note: findNote(one) }));
}

/** Renders whole submissions, and the number of the others. The outbox has only those that aren't done. */
function renderAsManyAsFit(
  submissions: readonly RenderedSubmission[],
  maxBlocks: number,
  render: (submission: RenderedSubmission) => KnownBlock[],
): KnownBlock[] {
  const rendered = submissions.map(render);
  const countBlocks = (shownCount: number) => rendered.slice(0, shownCount).flat().length;
  let shownCount = rendered.length;
  while (shownCount > 0 && countBlocks(shownCount) + (shownCount < rendered.length ? 1 : 0) > maxBlocks)
    shownCount -= 1;
  const hidden = submissions.slice(shownCount);
  if (hidden.length === 0) return rendered.flat();
  const pendingCount = hidden.filter(({ stateCopy }) => stateCopy.waitsFor !== 'nobody').length;
  const which = pendingCount < hidden.length ? `${pendingCount} of them ` : '';
  const place = pendingCount > 0 ? `, ${which}in \`/upnext outbox\`` : '';
  return [...rendered.slice(0, shownCount).flat(), context(`…and ${hidden.length} more${place}.`)];
}

export function renderFormMessage(
  submissions: readonly RenderedSubmission[],
  maxBlocks: number = LIMITS.messageBlocks,
): Message {
  const message = toMessage(renderStateView(submissions, undefined, maxBlocks));
  const [first, ...others] = submissions;
  return first?.post && others.length === 0 ? { ...message, text: first.post.renderCard().text } : message;
}

/** Prefix of the button values under several posts. The buttons apply to all posts of the form. */
export const ALL_PREFIX = 'all:';

/**
 * Renders the ephemeral message about a form whose submissions are all confirmed. Only a press on one of its buttons
 * can change the message, and only for 30 minutes, so its text stays true. `note` describes the result of a press
 * (mrkdwn), and `offer` is what the form's feature offers with it.
 */
export function renderReceipt(
  submissions: readonly RenderedSubmission[],
  { note, offer = [] }: { note?: string; offer?: readonly KnownBlock[] } = {},
): Message {
  const below = [...(note === undefined ? [] : [section(note)]), ...offer];
  const maxBlocks = LIMITS.messageBlocks - below.length;
  const message = renderFormMessage(submissions, maxBlocks);
  return { ...message, blocks: [...(message.blocks ?? []), ...below] };
}

/** Converts a view without inputs, and without more blocks than a message has room for. */
export function toMessage({ blocks }: Pick<ModalView, 'blocks'>): Message {
  const messageBlocks = blocks.filter((block): block is KnownBlock =>
    ['section', 'context', 'actions'].includes(block.type),
  );
  return { text: buildFallbackText(messageBlocks), blocks: messageBlocks };
}

export function renderStateMessage(submission: RenderedSubmission, note?: string): Message {
  if (submission.post) return submission.post.renderCard(note);
  const quote = submission.text === '' ? '' : ` “${toExcerpt(submission.text)}”`;
  return {
    text: escapeText(`${renderHeadline(submission)} ${submission.title}.${quote}`),
    blocks: renderStateBlocks(submission, note),
  };
}

/** Maximum submissions that a message about many names. */
const MAX_NAMED = 10;
/** Shows the outbox, also instead of an earlier list. */
export const OUTBOX_ACTION = 'outbox.refresh';

/** Renders the question about several submissions that need their author for the same reason. */
export function renderManySubmissions(submissions: readonly RenderedSubmission[]): Message {
  const [first, ...others] = submissions;
  if (!first || others.length === 0) return first ? renderStateMessage(first) : { text: '' };
  // One that can't be read says only that.
  const { stateCopy } = submissions.find((each) => each.stateCopy.name !== 'Unreadable') ?? first;
  const kinds = submissions.map(({ noun }) => noun);
  const count = renderWaitingCount({ count: submissions.length, kinds }, ['needs', 'need']);
  const lines = submissions.slice(0, MAX_NAMED).map(({ title, text }) => {
    const quote = text === '' ? '' : `, “${toExcerpt(text)}”`;
    return `• ${title}${quote}`;
  });
  const hidden = submissions.length - lines.length;
  const blocks = [
    section(
      `${getStateEmoji(first)} *${count} a decision, each for this reason:*\n${escapeText(stateCopy.sentence)}`,
    ),
    plainSection([...lines, ...(hidden > 0 ? [`…and ${hidden} more.`] : [])].join('\n')),
    actions(button('Open the outbox', OUTBOX_ACTION, undefined, 'primary')),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

function renderProblems(submission: RenderedSubmission): KnownBlock[] {
  const lines = renderProblemLines(submission);
  if (lines !== '') return [plainSection(lines)];
  const { stateCopy, refusal } = submission;
  // The texts of these states have no placeholder for what the service has said before.
  const isHidden = ['unsure', 'blocked'].includes(stateCopy.state) && refusal?.kind === 'refused';
  return isHidden ? [section(renderServiceFailure(refusal))] : [];
}

function renderButtons(submission: RenderedSubmission): KnownBlock[] {
  const { stateCopy } = submission;
  if (stateCopy.state === 'confirmed') return [];
  // The other states in which Upnext is working end within seconds, so their buttons would soon be outdated.
  const hasButtons = stateCopy.waitsFor !== 'upnext' || stateCopy.state === 'retryable';
  return hasButtons ? renderStateButtons(submission) : [];
}

/**
 * Prefix of button values in a list: `list:ID`, or `list:FROM:ID` with the position of the list's first entry. A press of
 * such a button shows the outbox if it changes the submission.
 */
export const LIST_PREFIX = 'list:';

/**
 * Renders a message after a newer message about one of its submissions was sent. Only a final state is still shown.
 * `remainingSubmissions`: the other submissions in the message.
 */
export function renderOutdatedMessage(
  submission: RenderedSubmission,
  remainingSubmissions: readonly RenderedSubmission[],
): Message {
  const isOver = submission.stateCopy.waitsFor === 'nobody';
  const [state] = isOver ? renderStateBlocks(submission) : [];
  const blocks = [
    ...renderAsManyAsFit(remainingSubmissions, LIMITS.messageBlocks - 2, (other) => renderShortBlocks(other)),
    state ?? section('*I sent you a newer message about this.*'),
    context(plain(submission.title)),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders the view that replaces a form which Slack didn't close in time. Another message shows the result. */
export function renderDoneView([submission]: readonly RenderedSubmission[]): ModalView {
  return {
    type: 'modal',
    title: plain(submission?.doneTitle ?? 'Done', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [section('Done. You can close this form.')],
  };
}

/** Action ids of the buttons, which `features/outbox` handles. */
export const ACTIONS: Readonly<Record<SentButton, string>> = {
  check: 'outbox.check',
  retry: 'outbox.retry',
  'send-again': 'outbox.send-again',
  edit: 'outbox.edit',
  discard: 'outbox.discard',
};

const LABELS: Readonly<Record<SentButton, string>> = {
  check: 'Check again',
  retry: 'Send again',
  'send-again': 'Send again',
  edit: 'Edit',
  discard: 'Discard',
};

/**
 * Renders the buttons of a state. `valuePrefix` identifies the list that contains the buttons. The press handler
 * updates that list. A button's value is the prefix and the submission's id.
 */
function renderStateButtons(
  { id, stateCopy }: Pick<RenderedSubmission, 'id' | 'stateCopy'>,
  valuePrefix = '',
): KnownBlock[] {
  const elements: ActionsBlockElement[] = stateCopy.buttons.map((name) => {
    const stateButton = button(
      getLabel(name, stateCopy.state),
      ACTIONS[name],
      `${valuePrefix}${id}`,
      getStyle(name, stateCopy.state),
    );
    return name === 'discard' ? withConfirmation(stateButton, DISCARD_DIALOG) : stateButton;
  });
  return elements.length > 0 ? [actions(...elements)] : [];
}

const DISCARD_DIALOG = {
  title: 'Discard this?',
  text: 'I’ll stop trying to send it.',
  confirm: 'Discard',
  deny: 'Keep',
  style: 'danger',
} as const;

function getLabel(name: SentButton, state: string): string {
  if (name === 'retry' && state === 'retryable') return 'Retry now';
  return name === 'edit' && state === 'refused' ? 'Fix and send again' : LABELS[name];
}

function getStyle(name: SentButton, state: string): 'primary' | undefined {
  if (state === 'retryable') return name === 'retry' ? 'primary' : undefined;
  return name === 'edit' || name === 'check' ? 'primary' : undefined;
}

/** Why a save isn't confirmed. `uncertain`: the database's response was lost. */
export type UnsavedReason = 'not-saved' | 'uncertain';

const COPY: Readonly<Record<UnsavedReason, { outcome: string; nextStep: string }>> = {
  'not-saved': {
    outcome: 'Not saved, and nothing was sent.',
    nextStep: 'Please try again in a minute.',
  },
  uncertain: {
    outcome: 'I’m not sure this was saved.',
    nextStep: 'I’ll DM you as soon as I know. Sending it again won’t post it twice.',
  },
};

/** Renders the banner of a form after a failed or uncertain save; mrkdwn. */
export function renderUnsavedBanner(reason: UnsavedReason): string {
  return reason === 'not-saved'
    ? ':warning: *Not saved.* Your text is still here. Try again.'
    : `:warning: *${COPY[reason].outcome}* ${COPY[reason].nextStep}`;
}

/** Adds texts that came too late. The view shows what is stored. `isSent`: false if that was discarded instead. */
export function addUnsavedTexts(view: ModalView, texts: readonly string[], isSent: boolean): ModalView {
  const reason = isSent ? ' I was already sending your earlier version.' : '';
  const outcome = `:warning: *Your change isn’t saved.*${reason}`;
  return { ...view, blocks: [section(outcome), ...renderTypedTexts(...new Set(texts)), ...view.blocks] };
}

export function renderUnsavedMessage(reason: UnsavedReason, texts: readonly string[]) {
  const { outcome, nextStep } = COPY[reason];
  const [text = ''] = texts;
  return disableParsing({
    text: escapeText(`${outcome} ${toExcerpt(text)}`.trim()),
    // The whole text, because it may be stored nowhere else.
    blocks: [section(`:warning: *${outcome}* ${nextStep}`), ...renderTypedTexts(text)],
  });
}
