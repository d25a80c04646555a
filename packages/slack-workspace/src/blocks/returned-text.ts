import { readEntity } from '../page/read-mrkdwn.ts';

/** Code, and text between angle brackets. */
const CODE_OR_MARKUP = /(```[\s\S]+?```|`[^`\n]+`|<[^<>\n]+>)/;
const WEB_URL = /(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'`*_~])/gi;
const EMAIL = /(^|[\s(])([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/**
 * Escapes `&`, `<` and `>`, except for an `&` that is already part of an escape (docs.slack.dev, "Formatting text").
 */
export function escapeOnce(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function linkAddresses(text: string): string {
  return text.replaceAll(WEB_URL, '$1<$2>').replaceAll(EMAIL, '$1<mailto:$2|$2>');
}

/** The text of an app as Slack returns it: escaped, and with links for URLs and email addresses. */
export function formatReturnedText(text: string, isLinked = true): string {
  return text
    .split(CODE_OR_MARKUP)
    .map((part, index) => {
      if (index % 2 === 0) return isLinked ? linkAddresses(escapeOnce(part)) : escapeOnce(part);
      const isMarkup = part.startsWith('<') && readEntity(part.slice(1, -1)) !== undefined;
      return isMarkup ? part : escapeOnce(part);
    })
    .join('');
}

/** Escapes `&`, `<` and `>` as Slack does (docs.slack.dev, "Formatting text"). Slack doesn't escape quotes. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
