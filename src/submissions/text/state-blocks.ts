import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { Message } from '../../slack/message.ts';
import type { Button } from '../state-copy.ts';
import type { Shown } from './render-submission.ts';
import { excerpt, headline, problemLines, stateEmoji } from './state-text.ts';

/** The action ids of the buttons. `features/outbox` handles them. */
export const ACTIONS: Readonly<Record<Button, string>> = {
  check: 'outbox.check',
  again: 'outbox.again',
  edit: 'outbox.edit',
  discard: 'outbox.discard',
  'new-time': 'outbox.new-time',
  draft: 'outbox.draft',
};

const LABELS: Readonly<Record<Button, string>> = {
  check: 'Check again',
  again: 'Send again',
  edit: 'Edit',
  discard: 'Discard',
  'new-time': 'New time',
  draft: 'Save as draft',
};

/** A view has at most 100 blocks (https://docs.slack.dev/reference/views/), and a submission takes up to five. */
const MAX_SHOWN = 19;

/** One submission with its details. `said` is a line about the outcome of a press (mrkdwn). */
function stateBlocks(shown: Shown, said?: string): KnownBlock[] {
  const isDone = shown.rule.state === 'confirmed';
  return [
    section(`${stateEmoji(shown)} *${escapeText(headline(shown))}*`),
    ...problems(shown),
    ...(said === undefined ? [] : [section(said)]),
    ...(isDone ? [] : [context(plain(shown.title))]),
    ...shown.details,
    ...(isDone && shown.notes.length > 0 ? [context(...shown.notes.map((note) => plain(note)))] : []),
    ...buttons(shown),
  ];
}

/** One of several submissions, without its details. */
export function shortBlocks(shown: Shown, said?: string, from?: string): KnownBlock[] {
  return [
    section(`${stateEmoji(shown)} *${escapeText(headline(shown))}*`),
    ...problems(shown),
    ...(said === undefined ? [] : [section(said)]),
    context(plain(shown.title), ...(shown.text === '' ? [] : [plain(`“${excerpt(shown.text)}”`)])),
    ...(from === undefined ? buttons(shown) : stateButtons(shown, from)),
  ];
}

/**
 * All submissions of one form. Those that wait for Upnext have no buttons, because the view is updated automatically.
 */
export function stateView(
  all: readonly Shown[],
  about?: { id: string; said?: string | undefined },
): ModalView {
  const findNote = ({ id }: Shown) => (about?.id === id ? about.said : undefined);
  const [first, ...others] = all;
  const rest = all.length - MAX_SHOWN;
  const blocks =
    first && others.length === 0
      ? stateBlocks(first, findNote(first))
      : all.slice(0, MAX_SHOWN).flatMap((shown) => shortBlocks(shown, findNote(shown)));
  return {
    type: 'modal',
    title: plain(titleOf(all), LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      ...blocks,
      ...(rest > 0 ? [context(`…and ${rest} more, in \`/upnext outbox\`.`)] : []),
      ...foot(all),
    ],
  };
}

/** One submission as a direct message. */
export function stateMessage(shown: Shown, said?: string): Message {
  const quote = shown.text === '' ? '' : ` “${excerpt(shown.text)}”`;
  return { text: escapeText(`${headline(shown)} ${shown.title}.${quote}`), blocks: stateBlocks(shown, said) };
}

function titleOf(all: readonly Shown[]): string {
  const open = all.find(({ rule }) => rule.state !== 'confirmed');
  return (open ? open.rule.title : all[0]?.doneTitle) ?? 'Done';
}

function foot(all: readonly Shown[]): KnownBlock[] {
  const isInProgress = all.some(({ rule }) => rule.waitsFor === 'us');
  return isInProgress
    ? [context('You can close this: I will tell you how it ends. See also `/upnext outbox`.')]
    : [];
}

function problems(shown: Shown): KnownBlock[] {
  const lines = problemLines(shown);
  return lines === '' ? [] : [plainSection(lines)];
}

function buttons(shown: Shown): KnownBlock[] {
  const { rule } = shown;
  if (rule.state === 'confirmed') return shown.doneButtons.length > 0 ? [actions(...shown.doneButtons)] : [];
  return rule.waitsFor === 'us' ? [] : stateButtons(shown);
}

/** The buttons of a state. `from` is a prefix of the button's value that says in which list it is. */
function stateButtons({ id, rule }: Pick<Shown, 'id' | 'rule'>, from = ''): KnownBlock[] {
  const elements: ActionsBlockElement[] = rule.buttons.map((name) =>
    button(labelOf(name, rule.state), ACTIONS[name], `${from}${id}`, styleOf(name)),
  );
  return elements.length > 0 ? [actions(...elements)] : [];
}

function labelOf(name: Button, state: string): string {
  return name === 'edit' && state === 'refused' ? 'Fix and send again' : LABELS[name];
}

function styleOf(name: Button): 'primary' | undefined {
  return name === 'edit' || name === 'check' || name === 'new-time' ? 'primary' : undefined;
}
