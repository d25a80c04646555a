import type { TextObject } from '@slack/types';
import { replaceEmojiCodes } from './emoji.ts';
import { html } from './html.ts';
import { Mrkdwn } from './mrkdwn.ts';

/** A text object of either type. */
export function Text({ of }: { of: TextObject | undefined }) {
  if (of === undefined) return null;
  return of.type === 'mrkdwn'
    ? html`<${Mrkdwn} text=${of.text} />`
    : html`<span class="plain">${replaceEmojiCodes(of.text)}</span>`;
}
