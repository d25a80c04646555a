import { replaceEmojiCodes } from './emoji.js';
import { html } from './html.js';
import { Mrkdwn } from './mrkdwn.js';

/** @import { TextObject } from '@slack/types' */

/**
 * A text object of either type.
 * @param {{ of: TextObject | undefined }} props
 */
export function Text({ of }) {
  if (of === undefined) return null;
  return of.type === 'mrkdwn'
    ? html`<${Mrkdwn} text=${of.text} />`
    : html`<span class="plain">${replaceEmojiCodes(of.text)}</span>`;
}
