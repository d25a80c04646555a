import { isRecord, type Json } from '../json.ts';
import { readEntity } from '../page/read-mrkdwn.ts';

/** Code, and text between angle brackets. */
const CODE_OR_MARKUP = /(```[\s\S]+?```|`[^`\n]+`|<[^<>\n]+>)/;
const WEB_URL = /(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'`*_~])/gi;
const EMAIL = /(^|[\s(])([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/** Escapes `&`, `<` and `>`, but no `&` of an escape (docs.slack.dev, "Formatting text"). */
function escapeOnce(text: string): string {
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

/** Defaults that Slack adds to views and messages, as recorded in java-slack-sdk's ViewSubmissionPayloadTest. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  plain_text: { emoji: true },
  mrkdwn: { verbatim: false },
  input: { optional: false, dispatch_action: false },
  plain_text_input: { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } },
};

export function addDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addDefaults);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, addDefaults(inner)]);
  const result: Json = Object.fromEntries(entries);
  return typeof value.type === 'string' ? { ...DEFAULTS[value.type], ...result } : result;
}

function formatTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formatTexts);
  if (!isRecord(value)) return value;
  const { type, text } = value;
  if (type === 'plain_text' && typeof text === 'string') return { ...value, text: escapeOnce(text) };
  if (type === 'mrkdwn' && typeof text === 'string')
    return { ...value, text: formatReturnedText(text, value.verbatim !== true) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formatTexts(inner)]));
}

/** The blocks of a message as Slack returns them. rich_text and markdown blocks are returned unchanged. */
export function formatReturnedBlocks(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => {
    if (block.type === 'rich_text' || block.type === 'markdown') return block;
    const returned = formatTexts(addDefaults(block));
    return isRecord(returned) ? returned : block;
  });
}
