import type { ModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import type { Message } from './message.ts';
import { APP_NAME } from './name.ts';

/** A modal that only says something, and how its button takes the person back to what is below it. */
export function messageView({ text, blocks }: Message, close = 'Back'): ModalView {
  return {
    type: 'modal',
    title: plain(APP_NAME, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks: blocks ?? [section(text)],
  };
}
