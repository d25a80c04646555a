import type { ModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import type { Message } from './message.ts';
import { APP_NAME } from './name.ts';
import { replaceTables } from './table.ts';

/** Builds a modal that only shows a message. `close` is the label of the button that returns to the view below. */
export function buildMessageView({ text, blocks }: Message, close = 'Back'): ModalView {
  return {
    type: 'modal',
    title: plain(APP_NAME, LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks: replaceTables(blocks ?? [section(text)]),
  };
}
