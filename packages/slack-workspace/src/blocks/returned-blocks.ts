import { isRecord, type Json } from '../json.ts';
import { escapeOnce, formatReturnedText } from './returned-text.ts';

/** Defaults that Slack adds to views and messages, as recorded in java-slack-sdk's ViewSubmissionPayloadTest. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  plain_text: { emoji: true },
  mrkdwn: { verbatim: false },
  input: { optional: false, dispatch_action: false },
  plain_text_input: { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } },
};

/** Adds the defaults to a view, block or element and to everything inside. */
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
  if (type === 'mrkdwn' && typeof text === 'string') {
    return { ...value, text: formatReturnedText(text, value.verbatim !== true) };
  }
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
