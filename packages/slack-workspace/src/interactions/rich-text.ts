import type { Json } from '../json.ts';
import { findEmoji } from '../page/emoji.ts';
import { type Piece, readMrkdwn } from '../page/read-mrkdwn.ts';

function buildEmojiElement(name: string): Json {
  const emoji = findEmoji(name);
  const unicode = emoji && [...emoji].map((one) => one.codePointAt(0)?.toString(16)).join('-');
  return { type: 'emoji', name, ...(unicode ? { unicode } : {}) };
}

/** The element of a piece, without its style. Undefined for pieces that contain others. */
function buildElement(piece: Piece): Json | undefined {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: piece.text };
    case 'emoji':
      return buildEmojiElement(piece.name);
    case 'link':
      return { type: 'link', url: piece.url, ...(piece.label === piece.url ? {} : { text: piece.label }) };
    case 'user':
      return { type: 'user', user_id: piece.id };
    case 'channel':
      return { type: 'channel', channel_id: piece.id };
    case 'usergroup':
      return { type: 'usergroup', usergroup_id: piece.id };
    case 'broadcast':
      return { type: 'broadcast', range: piece.name };
    case 'date': {
      const { ms, format, url, fallback } = piece;
      return { type: 'date', timestamp: ms / 1000, format, ...(url === undefined ? {} : { url }), fallback };
    }
    default:
      return undefined;
  }
}

const NEWLINE: Json = { type: 'text', text: '\n' };

function buildInlineElements(piece: Piece, style: Record<string, true>): Json[] {
  switch (piece.type) {
    case 'bold':
    case 'italic':
    case 'strike':
      return piece.children.flatMap((child) => buildInlineElements(child, { ...style, [piece.type]: true }));
    case 'code':
      return [{ type: 'text', text: piece.text, style: { ...style, code: true } }];
    case 'break':
      return [NEWLINE];
    case 'item':
      return [
        { type: 'text', text: `${piece.mark} ` },
        ...piece.children.flatMap((child) => buildInlineElements(child, style)),
      ];
    default: {
      const element = buildElement(piece);
      if (!element) return [];
      return [Object.keys(style).length > 0 ? { ...element, style } : element];
    }
  }
}

/** Merges neighbouring texts of the same style. */
function mergeTexts(elements: readonly Json[]): Json[] {
  const merged: Json[] = [];
  for (const element of elements) {
    const last = merged.at(-1);
    const isSame =
      last?.type === 'text' &&
      element.type === 'text' &&
      JSON.stringify(last.style) === JSON.stringify(element.style);
    if (last && isSame) merged[merged.length - 1] = { ...last, text: `${last.text}${element.text}` };
    else merged.push(element);
  }
  return merged;
}

/** The rich_text elements that Slack makes of mrkdwn (docs.slack.dev, "Rich text block"). */
export function buildRichTextElements(mrkdwn: string): Json[] {
  const elements: Json[] = [];
  let line: Json[] = [];
  let before: Piece | undefined;
  const flush = () => {
    if (line.length > 0) elements.push({ type: 'rich_text_section', elements: mergeTexts(line) });
    line = [];
  };
  for (const piece of readMrkdwn(mrkdwn)) {
    if (piece.type === 'pre') {
      flush();
      const text = { type: 'text', text: piece.text };
      elements.push({ type: 'rich_text_preformatted', elements: [text], border: 0 });
    } else if (piece.type === 'quote') {
      flush();
      const quoted = piece.children.flatMap((child) => buildInlineElements(child, {}));
      elements.push({ type: 'rich_text_quote', elements: mergeTexts(quoted) });
    } else {
      const isNewLine = line.length > 0 && (piece.type === 'item' || before?.type === 'item');
      line.push(...(isNewLine ? [NEWLINE] : []), ...buildInlineElements(piece, {}));
    }
    before = piece;
  }
  flush();
  return elements;
}
