/**
 * Creates Slack's text objects and options.
 * @import { MrkdwnElement, PlainTextElement, PlainTextOption, RichTextBlock } from '@slack/types'
 */

/**
 * @param {string} text
 * @returns {PlainTextElement}
 */
export const plain = (text) => ({ type: 'plain_text', text });

/**
 * @param {string} text
 * @returns {MrkdwnElement}
 */
export const mrkdwn = (text) => ({ type: 'mrkdwn', text });

/**
 * @param {string} text
 * @param {string} [description]
 * @returns {PlainTextOption}
 */
export const option = (text, description) => ({
  text: plain(text),
  value: text.toLowerCase(),
  ...(description === undefined ? {} : { description: plain(description) }),
});

/**
 * @param {string} text
 * @returns {RichTextBlock}
 */
export const rich = (text) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
