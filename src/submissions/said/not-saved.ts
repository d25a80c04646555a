import type { KnownBlock, ModalView } from '@slack/types';
import { plain, quoted, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { inert } from '../../slack/message.ts';
import { excerpt } from './state-words.ts';

/** Why something is not known to be stored: it certainly isn't, or the database's answer was lost. */
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

/** What stands on top of a form that comes back; mrkdwn. */
export function unsavedBanner(why: Unsaved): string {
  return why === 'not-saved'
    ? ':warning: *Not saved.* Your text is still here. Try again.'
    : `:warning: *${COPY[why].happened}* ${COPY[why].next}`;
}

/** Every word stands here, because it may be stored nowhere else. */
function blocks(why: Unsaved, texts: readonly string[]): KnownBlock[] {
  const [text = ''] = texts;
  const quote = text.trim() === '' ? [] : [section('This is what you wrote:'), quoted(text)];
  return [section(`:warning: *${COPY[why].happened}* ${COPY[why].next}`), ...quote];
}

export function unsavedView(why: Unsaved, texts: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain(COPY[why].title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: blocks(why, texts),
  };
}

export function unsavedMessage(why: Unsaved, texts: readonly string[]) {
  const text = escapeText(`${COPY[why].happened} ${excerpt(texts[0] ?? '')}`.trim());
  return inert({ text, blocks: blocks(why, texts) });
}
