import { isRecord, type Json } from '../json.ts';
import { escapeBare, returnedText } from './returned-text.ts';

/** Fields that Slack fills in, as its recorded payloads have them (java-slack-sdk, ViewSubmissionPayloadTest). */
const DEFAULTS: Readonly<Record<string, Json>> = {
  plain_text: { emoji: true },
  mrkdwn: { verbatim: false },
  input: { optional: false, dispatch_action: false },
  plain_text_input: { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } },
};

/** A value of a view with its defaults: the view, a block, an element or a list of them. */
export function withDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDefaults);
  if (!isRecord(value)) return value;
  const inside = Object.entries(value).map(([key, inner]) => [key, withDefaults(inner)]);
  const own: Json = Object.fromEntries(inside);
  return typeof value.type === 'string' ? { ...DEFAULTS[value.type], ...own } : own;
}

function withReturnedText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReturnedText);
  if (!isRecord(value)) return value;
  const { type, text } = value;
  if (type === 'plain_text' && typeof text === 'string') return { ...value, text: escapeBare(text) };
  if (type === 'mrkdwn' && typeof text === 'string') {
    return { ...value, text: returnedText(text, value.verbatim !== true) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReturnedText(inner)]));
}

/** The blocks of a message as Slack returns them. Those of people's own text are whole already. */
export function returnedBlocks(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => {
    if (block.type === 'rich_text' || block.type === 'markdown') return block;
    const returned = withReturnedText(withDefaults(block));
    return isRecord(returned) ? returned : block;
  });
}
