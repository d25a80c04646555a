import { html } from '../html.js';
import { Mrkdwn } from '../mrkdwn.js';
import { readMarkdown } from './read-markdown.js';

/**
 * Converts the inline formatting of standard markdown to mrkdwn.
 * @param {string} markdown
 */
export function convertToMrkdwn(markdown) {
  return markdown
    .split(/(```[\s\S]+?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : convertFormatting(part)))
    .join('');
}

/** @param {string} text */
function convertFormatting(text) {
  return text
    .replaceAll('&', '&amp;')
    .replace(/<(?!https?:)/g, '&lt;')
    .replace(/(^|[^*])\*([^*\s][^*\n]*)\*(?!\*)/g, '$1_$2_')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/~~([^~\n]+)~~/g, '~$1~')
    .replace(/!?\[([^\]\n]+)\]\((https?:[^)\s]+)\)/g, '<$2|$1>');
}

/** @import { ListItem, MarkdownPart } from './read-markdown.js' */

/**
 * Standard markdown.
 * @param {{ block: import('@slack/types').MarkdownBlock }} props
 */
export function Markdown({ block }) {
  return html`<div class="markdown mrkdwn rich-text">
    ${readMarkdown(block.text).map((part, index) => html`<${Part} key=${index} part=${part} />`)}
  </div>`;
}

/** @param {{ text: string }} props */
const Inline = ({ text }) => html`<${Mrkdwn} text=${convertToMrkdwn(text)} />`;

/** @param {{ part: MarkdownPart }} props */
function Part({ part }) {
  switch (part.type) {
    case 'heading':
      return html`<p class=${`markdown-heading markdown-heading-${part.level}`}><${Inline} text=${part.text} /></p>`;
    case 'rule':
      return html`<hr />`;
    case 'code':
      return html`<pre><code>${part.text}</code></pre>`;
    case 'quote':
      return html`<blockquote class="quote"><${Inline} text=${part.text} /></blockquote>`;
    case 'list':
      return html`<${List} items=${part.items} isOrdered=${part.isOrdered} />`;
    case 'table':
      return html`<div class="table-frame" tabindex="0" role="group" aria-label="Table">
        <table class="table">
          <thead>
            <tr>${part.head.map((cell, index) => html`<th key=${index} scope="col"><${Inline} text=${cell} /></th>`)}</tr>
          </thead>
          <tbody>
            ${part.rows.map(
              (row, index) =>
                html`<tr key=${index}>${row.map((cell, at) => html`<td key=${at}><${Inline} text=${cell} /></td>`)}</tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case 'text':
      return html`<p><${Inline} text=${part.text.trim()} /></p>`;
  }
}

/** @param {{ items: readonly ListItem[], isOrdered: boolean }} props */
function List({ items, isOrdered }) {
  const drawn = items.map(
    ({ text, depth, isDone }, index) => html`<li key=${index} class=${`markdown-item-${Math.min(depth, 4)}`}>
      ${isDone === undefined ? null : html`<input type="checkbox" disabled checked=${isDone} aria-label=${isDone ? 'Done' : 'Open'} /> `}
      <${Inline} text=${text} />
    </li>`,
  );
  return isOrdered ? html`<ol>${drawn}</ol>` : html`<ul>${drawn}</ul>`;
}
