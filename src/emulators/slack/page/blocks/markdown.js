import { html } from '../html.js';
import { Mrkdwn } from '../mrkdwn.js';
import { asMrkdwn } from './as-mrkdwn.js';

/**
 * Standard markdown, as far as Slack's own formatting has an equivalent. The rest stays as typed.
 * @param {{ block: import('@slack/types').MarkdownBlock }} props
 */
export function Markdown({ block }) {
  return html`<${Mrkdwn} text=${asMrkdwn(block.text)} />`;
}
