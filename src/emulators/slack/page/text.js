import { html } from './html.js';
import { Mrkdwn } from './mrkdwn.js';
import { plainText } from './plain-text.js';

/** @import { TextObject } from '@slack/types' */

/**
 * A text object of either kind.
 * @param {{ of: TextObject | undefined }} props
 */
export function Text({ of }) {
  if (of === undefined) return null;
  return of.type === 'mrkdwn'
    ? html`<${Mrkdwn} text=${of.text} />`
    : html`<span class="plain">${plainText(of.text)}</span>`;
}
