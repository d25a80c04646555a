import { readEntity } from '../page/read-entity.js';

/** Code, and Slack's own markup. */
const KEPT = /(```[\s\S]+?```|`[^`\n]+`|<[^<>\n]+>)/;
const ADDRESS = /(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'`*_~])/gi;
const EMAIL = /(^|[\s(])([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/** Escapes `&`, `<` and `>`, unless the app has done so (docs.slack.dev, "Formatting text"). */
export function escapeBare(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function link(text: string): string {
  return text.replaceAll(ADDRESS, '$1<$2>').replaceAll(EMAIL, '$1<mailto:$2|$2>');
}

/** The text of an app as Slack returns it: escaped, and with its addresses as links. */
export function returnedText(text: string, isLinked = true): string {
  return text
    .split(KEPT)
    .map((part, index) => {
      if (index % 2 === 0) return isLinked ? link(escapeBare(part)) : escapeBare(part);
      const isMarkup = part.startsWith('<') && readEntity(part.slice(1, -1)) !== undefined;
      return isMarkup ? part : escapeBare(part);
    })
    .join('');
}
