import { randomUUID } from 'node:crypto';
import type { ActionCall, Call } from '../../../app/call.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import { begunWith, formMetadata } from '../../../forms/field.ts';
import type { Change, State } from '../../../forms/form.ts';
import { keepForm } from '../../../forms/kept-form.ts';
import { checkForm, countSoon, settled, waitingForm } from '../../../forms/standing-form.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import { replyInTime } from '../../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../../slack/message.ts';
import { answerPress } from '../../../submissions/answer-form.ts';
import { isKnownOrigin } from '../../../submissions/sql/earlier-submissions.ts';
import { findText } from '../begin/find-text.ts';
import { ALL } from '../begin/read-line.ts';
import { fields } from '../form/fields.ts';
import { type PostFacts, postFormFacts } from '../form/post-facts.ts';
import { lookForEmoji } from '../form/post-text.ts';
import { joinedText } from '../form/text-parts.ts';
import { postForm } from '../post-form.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { chooseMoment } from '../when/when-field.ts';
import { MOMENTS, PREVIEW, previewMessage } from './preview-message.ts';

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

type PostState = State<typeof fields, PostFacts>;

interface KeptPreview {
  state: PostState;
  channel: string | undefined;
}

/** Settled, checked, kept behind its opaque id, and drawn; `change` is what a press has answered. */
async function keepPreview(
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
async function keptPreview(call: Call, id: string): Promise<KeptPreview | undefined> {
  const found = await waitingForm(postForm, call, formMetadata(postForm.version, id));
  return found && { state: found.state, channel: found.kept.channel };
}

/** What the preview and the form that it is edited in have in common: together they send once. */
function originOf(id: string): string {
  return `${id}-sent`;
}

/** Whether something was sent with the preview, or with its form. */
function isSent({ context, who }: Call, id: string): Promise<boolean> {
  return isKnownOrigin(context.db, { workspace: who.workspace, origin: originOf(id) });
}

/** Nobody sends it any more. */
async function forgetPreview(call: Call, id: string, { facts }: PostState): Promise<void> {
  await keepForm(postForm, call, id, { facts });
}

type Press = ActionCall;
/** What a press says to what was asked. */
type Answer = (state: PostState, value: string) => Change<typeof fields, PostFacts>;

const GONE: Message = {
  text: 'This preview belongs to somebody else, or is no longer kept. Nothing was sent with this press.',
};
const SENT: Message = { text: 'This was sent already. See `/upnext outbox` and `/upnext posts`.' };

/** The handlers of everything in a preview; `form` is the one that it is edited in. */
export function previewActions(
  form: Pick<FormHandlers, 'begin'>,
): Record<string, (call: Press) => Promise<void>> {
  return {
    [PREVIEW.schedule]: send,
    [PREVIEW.save]: send,
    [PREVIEW.edit]: (call) => edit(call, form),
    [PREVIEW.cancel]: cancel,
    [PREVIEW.draft]: (call) => answer(call, asDraft),
    [PREVIEW.project]: (call) => answer(call, withProject),
    [PREVIEW.platform]: (call) => answer(call, withPlatform),
    ...Object.fromEntries(MOMENTS.map((id) => [id, (call: Press) => answer(call, withMoment)])),
  };
}

/** [Schedule], [Save draft]: as it was shown; where that cannot be any more, what is missing is asked for again. */
async function send(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const checked = checkForm(postForm, state);
  if (checked.kind === 'good') {
    const at = { origin: originOf(id), ...(channel !== undefined && { channel }) };
    return answerPress(call, postSubmission, { ...at, contents: checked.contents });
  }
  // Its moment may be over because it was sent long ago.
  const shown = (await isSent(call, id)) ? SENT : await keepPreview(call, id, preview);
  await call.reply(shown, { replace: true });
}

/** [Edit]: the form with everything that the preview has; the two together send once. */
async function edit(call: Press, form: Pick<FormHandlers, 'begin'>): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const prefill = { ...state.typed, ...(state.facts.shown && { shown: state.facts.shown }) };
  await form.begin(call, { ...(channel !== undefined && { channel }), prefill }, { formId: originOf(id) });
}

/** [Cancel]: nothing of it is kept but what stands in the answer. */
async function cancel(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE, { replace: true });
  if (await isSent(call, id)) return call.reply(SENT, { replace: true });
  await forgetPreview(call, id, preview.state);
  const text = joinedText(preview.state.typed);
  await call.reply(quotingMessage(text, 'Cancelled: nothing was sent.'), { replace: true });
}

async function answer(call: Press, said: Answer): Promise<void> {
  const [id = '', ...rest] = (call.action.chosen ?? call.action.value ?? '').split('.');
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const change = said(preview.state, rest.join('.'));
  await call.reply(await keepPreview(call, id, preview, change), { replace: true });
}

const asDraft: Answer = () => ({ typed: { status: 'DRAFT' } });

/** By its place among those that were offered. */
const withProject: Answer = ({ typed, facts }, value) => ({
  typed: { project: facts.projects[Number(value)] ?? typed.project },
});

const withPlatform: Answer = ({ typed: { platforms } }, value) => ({
  typed: { platforms: value === 'all' ? [...ALL] : [...platforms, ...(readPlatforms([value]) ?? [])] },
});

const withMoment: Answer = (state, value) => chooseMoment(value, state);
