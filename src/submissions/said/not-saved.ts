import type { KnownBlock, ModalView } from '@slack/types';
import { plain, quoted, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { inert } from '../../slack/message.ts';
import { excerpt } from './state-words.ts';

const NOT_SAVED = 'Not saved, and nothing was sent.';

/** Every word stands here, because nothing of it is kept anywhere else. */
function blocks(texts: readonly string[]): KnownBlock[] {
  const [text = ''] = texts;
  const kept = text.trim() === '' ? [] : [section('This is what you wrote:'), quoted(text)];
  return [section(`:warning: *${NOT_SAVED}* Please try again in a moment.`), ...kept];
}

export function notSavedView(texts: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain('Not saved', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: blocks(texts),
  };
}

export function notSavedMessage(texts: readonly string[]) {
  return inert({ text: escapeText(`${NOT_SAVED} ${excerpt(texts[0] ?? '')}`.trim()), blocks: blocks(texts) });
}
