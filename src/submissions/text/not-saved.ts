import type { KnownBlock, ModalView } from '@slack/types';
import { plain, plainSection, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { disableParsing } from '../../slack/message.ts';
import { excerpt } from './state-text.ts';

/** Why a submission isn't known to be saved: the save failed, or the database's answer was lost. */
export type Unsaved = 'not-saved' | 'not-sure';

const COPY: Readonly<Record<Unsaved, { title: string; happened: string; next: string }>> = {
  'not-saved': {
    title: 'Not saved',
    happened: 'Not saved, and nothing was sent.',
    next: 'Please try again in a moment.',
  },
  'not-sure': {
    title: 'Not sure',
    happened: 'I’m not sure this was saved.',
    next: 'I’ll DM you as soon as I know. Sending it again won’t post it twice.',
  },
};

/** The banner of the form that is shown again; mrkdwn. */
export function unsavedBanner(reason: Unsaved): string {
  return reason === 'not-saved'
    ? ':warning: *Not saved.* Your text is still here. Try again.'
    : `:warning: *${COPY[reason].happened}* ${COPY[reason].next}`;
}

/** Includes the whole text, because it may be stored nowhere else. */
function blocks(reason: Unsaved, texts: readonly string[]): KnownBlock[] {
  const [text = ''] = texts;
  const quote = text.trim() === '' ? [] : [section('This is what you wrote:'), plainSection(text)];
  return [section(`:warning: *${COPY[reason].happened}* ${COPY[reason].next}`), ...quote];
}

export function unsavedView(reason: Unsaved, texts: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain(COPY[reason].title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: blocks(reason, texts),
  };
}

export function unsavedMessage(reason: Unsaved, texts: readonly string[]) {
  const text = escapeText(`${COPY[reason].happened} ${excerpt(texts[0] ?? '')}`.trim());
  return disableParsing({ text, blocks: blocks(reason, texts) });
}
