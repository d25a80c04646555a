import { isRecord, type Json } from '../json.ts';
import { readEntity } from '../page/read-mrkdwn.ts';

/** Code, and text between angle brackets. */
export const CODE_OR_MARKUP = /(```[\s\S]+?```|`[^`\n]+`|<[^<>\n]+>)/;
const WEB_URL = /(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'`])/gi;
const EMAIL = /(^|[\s(])([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/** Escapes `&`, `<` and `>`, but no `&` of an escape (docs.slack.dev, "Formatting text"). */
function escapeOnce(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Links an address, without marks at its end that close the formatting around it. */
function linkAddress(_match: string, before: string, url: string, offset: number, text: string): string {
  const [address, marks = ''] = url.split(/([*_~]+)$/);
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
  const closesFormat = marks !== '' && new RegExp(`(?:^|[\\s(])\\${marks.at(-1)}\\S`).test(line);
  return closesFormat ? `${before}<${address}>${marks}` : `${before}<${url}>`;
}

export function linkAddresses(text: string): string {
  return text.replaceAll(WEB_URL, linkAddress).replaceAll(EMAIL, '$1<mailto:$2|$2>');
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

/** Changes all values in an object with `change`, and the objects in lists. */
function changeValues(object: Json, change: (object: Json) => Json): Json {
  const changeValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changeValue);
    return isRecord(value) ? change(value) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, changeValue(value)]));
}

export function addDefaults(object: Json): Json {
  const defaults = typeof object.type === 'string' ? DEFAULTS[object.type] : {};
  return { ...defaults, ...changeValues(object, addDefaults) };
}

function formatTexts(object: Json): Json {
  const { type, text } = object;
  if (type === 'plain_text' && typeof text === 'string') return { ...object, text: escapeOnce(text) };
  if (type === 'mrkdwn' && typeof text === 'string')
    return { ...object, text: formatReturnedText(text, object.verbatim !== true) };
  return changeValues(object, formatTexts);
}

/** The blocks of a message as Slack returns them. rich_text and markdown blocks are returned unchanged. */
export function formatReturnedBlocks(blocks: readonly Json[]): Json[] {
  return blocks.map((block) =>
    block.type === 'rich_text' || block.type === 'markdown' ? block : formatTexts(addDefaults(block)),
  );
}
