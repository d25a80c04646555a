import { randomUUID } from 'node:crypto';
import type { ActionCall, Call } from '../../../app/call.ts';
import { countEqualPostsInBackground } from '../../../forms/count-equal-posts.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import { applyChange, checkForm, readUnconfirmedForm } from '../../../forms/current-form.ts';
import { buildFormMetadata, computeInitialValues } from '../../../forms/field.ts';
import type { FormChange, FormState } from '../../../forms/form.ts';
import { storeForm } from '../../../forms/stored-form.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { replyInTime } from '../../../slack/list-answers.ts';
import { type Message, quotingMessage } from '../../../slack/message.ts';
import { answerPress } from '../../../submissions/answer-form.ts';
import { isKnownOrigin } from '../../../submissions/sql/earlier-submissions.ts';
import { findText } from '../begin/find-text.ts';
import { ALL } from '../begin/read-line.ts';
import { fields } from '../form/fields.ts';
import { type PostFormContext, postFormLoader } from '../form/post-form-context.ts';
import { findWorkspaceEmoji } from '../form/post-text.ts';
import { joinedText } from '../form/text-parts.ts';
import { postForm } from '../post-form.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { chooseMoment } from '../when/when-field.ts';
import { MOMENTS, PREVIEW, previewMessage } from './preview-message.ts';

/** Shows a preview of a typed line to its author alone, before anything is sent. */
export async function previewLine(call: Call, line: string): Promise<void> {
  await replyInTime(call, beginPreview(call, line), { slowMs: call.context.pace.slowMs });
}

async function beginPreview(call: Call, line: string): Promise<Message> {
  const { channel } = call;
  const begin = { ...(channel !== undefined && { channel }), prefill: { line } };
  const loaded = await postFormLoader.load(call, begin);
  if ('trouble' in loaded) {
    // Slack doesn't preserve a command, so the response quotes its text.
    const { text = '' } = findText(line);
    return quotingMessage(text, `:warning: *Not sent.* ${loaded.trouble} Your text stands above: try again.`);
  }
  const values = computeInitialValues(fields, loaded.prefill ?? {}, loaded.formContext);
  return storePreview(call, randomUUID(), {
    state: { values, formContext: loaded.formContext, now: call.now() },
    channel,
  });
}

type PostState = FormState<typeof fields, PostFormContext>;

interface StoredPreview {
  state: PostState;
  channel: string | undefined;
}

/** Applies a change, stores the preview under its opaque id, checks it and renders it. */
async function storePreview(
  call: Call,
  id: string,
  { state: before, channel }: StoredPreview,
  change: FormChange<typeof fields, PostFormContext> = {},
): Promise<Message> {
  const { state: changedState } = applyChange(postForm, before, change);
  const state = { ...changedState, formContext: await findWorkspaceEmoji(changedState, call) };
  await storeForm(postForm, call, id, {
    ...(channel !== undefined && { channel }),
    formContext: state.formContext,
    unconfirmed: state.values,
  });
  countEqualPostsInBackground(postForm, call, id, state);
  return previewMessage({ id, state, checked: checkForm(postForm, state), practice: call.context.practice });
}

/** Undefined if the preview belongs to somebody else, was cancelled, or has expired. */
async function readPreview(call: Call, id: string): Promise<StoredPreview | undefined> {
  const found = await readUnconfirmedForm(postForm, call, buildFormMetadata(postForm.version, id));
  return found && { state: found.state, channel: found.stored.channel };
}

/** The origin of submissions from the preview and from its form, so that only one of the two can be sent. */
function originOf(id: string): string {
  return `${id}-sent`;
}

/** Whether the preview or its form was sent. */
function isSent({ context, actor }: Call, id: string): Promise<boolean> {
  return isKnownOrigin(context.db, { workspace: actor.workspace, origin: originOf(id) });
}

/** Removes the values, so that the preview can't be sent any more. */
async function discardPreview(call: Call, id: string, { formContext }: PostState): Promise<void> {
  await storeForm(postForm, call, id, { formContext });
}

type Press = ActionCall;
/** The change that a button or a menu makes. */
type Answer = (state: PostState, value: string) => FormChange<typeof fields, PostFormContext>;

const GONE: Message = {
  text: 'This preview belongs to somebody else, or is no longer kept. Nothing was sent with this press.',
};
const SENT: Message = { text: 'This was sent already. See `/upnext outbox` and `/upnext posts`.' };

/** The handlers of all actions in a preview; [Edit] opens `form`. */
export function previewActions(
  form: Pick<FormHandlers, 'openForm'>,
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

/** [Schedule], [Save draft]: sends the post as shown. If it isn't valid any more, shows the preview again. */
async function send(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const checked = checkForm(postForm, state);
  if (checked.kind === 'valid') {
    const at = { origin: originOf(id), ...(channel !== undefined && { channel }) };
    return answerPress(call, postSubmission, { ...at, contents: checked.contents });
  }
  // Its moment may have passed because it was sent long ago.
  const shown = (await isSent(call, id)) ? SENT : await storePreview(call, id, preview);
  await call.reply(shown, { replace: true });
}

/** [Edit]: opens the form with the values of the preview. Only one of the two can be sent. */
async function edit(call: Press, form: Pick<FormHandlers, 'openForm'>): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const prefill = { ...state.values, ...(state.formContext.shown && { shown: state.formContext.shown }) };
  await form.openForm(call, { ...(channel !== undefined && { channel }), prefill }, { formId: originOf(id) });
}

/** [Cancel]: removes the values. The response quotes the text. */
async function cancel(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(GONE, { replace: true });
  if (await isSent(call, id)) return call.reply(SENT, { replace: true });
  await discardPreview(call, id, preview.state);
  const text = joinedText(preview.state.values);
  await call.reply(quotingMessage(text, 'Cancelled: nothing was sent.'), { replace: true });
}

async function answer(call: Press, said: Answer): Promise<void> {
  const [id = '', ...rest] = (call.action.chosen ?? call.action.value ?? '').split('.');
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(GONE);
  const change = said(preview.state, rest.join('.'));
  await call.reply(await storePreview(call, id, preview, change), { replace: true });
}

const asDraft: Answer = () => ({ values: { status: 'DRAFT' } });

/** The value is the project's index in the form context. */
const withProject: Answer = ({ values, formContext }, value) => ({
  values: { project: formContext.projects[Number(value)] ?? values.project },
});

const withPlatform: Answer = ({ values: { platforms } }, value) => ({
  values: { platforms: value === 'all' ? [...ALL] : [...platforms, ...(parsePlatforms([value]) ?? [])] },
});

const withMoment: Answer = (state, value) => chooseMoment(value, state);
