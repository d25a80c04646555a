import { isRecord } from '../json.ts';

/** The plain text of a rich_text block, with a line for each of its elements. Empty for other values. */
export function readRichText(block: unknown): string {
  if (!isRecord(block) || !Array.isArray(block.elements)) return '';
  return block.elements.map(readLine).join('\n');
}

function readLine(part: unknown): string {
  if (!isRecord(part)) return '';
  if (typeof part.text === 'string') return part.text;
  if (!Array.isArray(part.elements)) return String(part.url ?? part.name ?? '');
  return part.elements.map(readLine).join(part.type === 'rich_text_list' ? '\n' : '');
}

/** Unformatted rich text, as Slack's editor creates it. Null for an empty text. */
export function createRichText(text: string) {
  if (text === '') return null;
  const textElement = { type: 'text', text };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [textElement] }] };
}
