import { randomUUID } from 'node:crypto';
import type { Call } from '../../../app/call.ts';
import { begunWith } from '../../../forms/field.ts';
import type { Change, State } from '../../../forms/form.ts';
import { checkForm, countSoon, settled } from '../../../forms/form-state.ts';
import { formMetadata } from '../../../forms/ids.ts';
import { keepForm } from '../../../forms/kept-form.ts';
import { waitingForm } from '../../../forms/standing-form.ts';
import { replyInTime } from '../../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../../slack/message.ts';
import { isKnownOrigin } from '../../../submissions/sql/submitted-before.ts';
import { findText } from '../begin/find-text.ts';
import { fields } from '../form/fields.ts';
import { type PostFacts, postFormFacts } from '../form/post-facts.ts';
import { lookForEmoji } from '../form/post-text.ts';
import { postForm } from '../post-form.ts';
import { previewMessage } from './preview-message.ts';

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

export type PostState = State<typeof fields, PostFacts>;

interface KeptPreview {
  state: PostState;
  channel: string | undefined;
}

/** Settled, checked, kept behind its opaque id, and drawn; `change` is what a press has answered. */
export async function keepPreview(
  call: Call,
  id: string,
  { state: before, channel }: KeptPreview,
  change: Change<typeof fields, PostFacts> = {},
): Promise<Message> {
  const { state: settledState } = settled(postForm, before, change);
  const state = { ...settledState, facts: await lookForEmoji(settledState, call) };
  await keepForm(postForm, call, id, {
    ...(channel !== undefined && { channel }),
    facts: state.facts,
    waiting: state.typed,
  });
  countSoon(postForm, call, id, state);
  return previewMessage({ id, state, checked: checkForm(postForm, state), practice: call.context.practice });
}

/** A preview as it is kept; undefined for everybody but who asked for it, and once it was cancelled or is too old. */
export async function keptPreview(call: Call, id: string): Promise<KeptPreview | undefined> {
  const found = await waitingForm(postForm, call, formMetadata(postForm.version, id));
  return found && { state: found.state, channel: found.kept.channel };
}

/** What the preview and the form that it is edited in have in common: together they send once. */
export function originOf(id: string): string {
  return `${id}-sent`;
}

/** Whether something was sent with the preview, or with its form. */
export function isSent({ context, who }: Call, id: string): Promise<boolean> {
  return isKnownOrigin(context.db, { workspace: who.workspace, origin: originOf(id) });
}

/** Nobody sends it any more. */
export async function forgetPreview(call: Call, id: string, { facts }: PostState): Promise<void> {
  await keepForm(postForm, call, id, { facts });
}
