import { randomUUID } from 'node:crypto';
import type { Call } from '../../../app/call.ts';
import { begunWith } from '../../../forms/field.ts';
import { replyInTime } from '../../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../../slack/message.ts';
import { fields } from '../form/fields.ts';
import { postFormFacts } from '../form/post-facts.ts';
import { findText } from '../line/find-text.ts';
import { keepPreview } from './kept-preview.ts';

/** What was typed in one line, shown to its person alone before anything is sent. */
export async function previewLine(call: Call, line: string): Promise<void> {
  await replyInTime(call, beginPreview(call, line), { slowMs: call.context.pace.slowMs });
}

async function beginPreview(call: Call, line: string): Promise<Message> {
  const { channel } = call;
  const begin = { ...(channel !== undefined && { channel }), prefill: { line } };
  const loaded = await postFormFacts.load(call, begin);
  if ('trouble' in loaded) {
    // Slack keeps nothing of a command: its words stand in the answer.
    const { text = '' } = findText(line);
    return quotingMessage(text, `:warning: *Not sent.* ${loaded.trouble} Your text stands above: try again.`);
  }
  const typed = begunWith(fields, loaded.prefill ?? {}, loaded.facts);
  return keepPreview(call, randomUUID(), { state: { typed, facts: loaded.facts, now: call.now() }, channel });
}
