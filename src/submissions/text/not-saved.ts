import type { KnownBlock, ModalView } from '@slack/types';
import { escapeText, plain, plainSection, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { disableParsing } from '../../slack/message.ts';
import { createExcerpt } from './render-submission.ts';

/** Why a save isn't confirmed. `uncertain`: the database's response was lost. */
export type UnsavedReason = 'not-saved' | 'uncertain';

const COPY: Readonly<Record<UnsavedReason, { title: string; outcome: string; nextStep: string }>> = {
  'not-saved': {
    title: 'Not saved',
    outcome: 'Not saved, and nothing was sent.',
    nextStep: 'Please try again in a minute.',
  },
  uncertain: {
    title: 'Not sure',
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

/** Renders the outcome and the whole text, because the text may be stored nowhere else. */
function renderUnsavedBlocks(reason: UnsavedReason, texts: readonly string[]): KnownBlock[] {
  const [text = ''] = texts;
  const quote = text.trim() === '' ? [] : [section('This is what you wrote:'), plainSection(text)];
  return [section(`:warning: *${COPY[reason].outcome}* ${COPY[reason].nextStep}`), ...quote];
}

export function renderUnsavedView(reason: UnsavedReason, texts: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain(COPY[reason].title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: renderUnsavedBlocks(reason, texts),
  };
}

/** Adds texts that came with a later submission of a form. The view shows its first content, which is being sent. */
export function addUnsavedTexts(view: ModalView, texts: readonly string[]): ModalView {
  const outcome = ':warning: *Your change isn’t saved.* I was already sending your earlier version.';
  const quotes = [...new Set(texts)].filter((text) => text.trim() !== '').map(plainSection);
  const quoteBlocks = quotes.length === 0 ? [] : [section('This is what you wrote:'), ...quotes];
  return { ...view, blocks: [section(outcome), ...quoteBlocks, ...view.blocks] };
}

export function renderUnsavedMessage(reason: UnsavedReason, texts: readonly string[]) {
  const text = escapeText(`${COPY[reason].outcome} ${createExcerpt(texts[0] ?? '')}`.trim());
  return disableParsing({ text, blocks: renderUnsavedBlocks(reason, texts) });
}
