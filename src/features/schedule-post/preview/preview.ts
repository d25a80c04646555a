import { randomUUID } from 'node:crypto';
import type { ActionCall, Call } from '../../../app/call.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import { applyChange, checkForm, readUnconfirmedForm } from '../../../forms/current-form.ts';
import { buildFormMetadata, computeInitialValues } from '../../../forms/field.ts';
import type { FormChange, FormState } from '../../../forms/form.ts';
import { countEqualPostsInBackground } from '../../../forms/open-form.ts';
import { storeForm } from '../../../forms/stored-form.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { replyInTime } from '../../../slack/list-answers.ts';
import { buildQuotingMessage, type Message } from '../../../slack/message.ts';
import { respondToAction } from '../../../submissions/respond.ts';
import { isKnownOrigin } from '../../../submissions/sql/earlier-submissions.ts';
import { fields } from '../form/fields.ts';
import { type PostFormContext, postFormLoader } from '../form/post-form-context.ts';
import { updateCustomEmoji } from '../form/post-text.ts';
import { joinTexts } from '../form/text-parts.ts';
import { postForm } from '../post-form.ts';
import { ALL_PLATFORMS } from '../prefill/extract-platforms.ts';
import { splitLine } from '../prefill/split-line.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { chooseMoment } from '../when/when-field.ts';
import { MOMENT_ACTIONS, PREVIEW_ACTIONS, renderPreview } from './preview-message.ts';

/** Shows a preview of a typed line, which only its author sees. Sends nothing to the service. */
export async function previewLine(call: Call, line: string): Promise<void> {
  await replyInTime(call, createPreview(call, line), { slowMs: call.context.pace.slowNoticeDelayMs });
}

async function createPreview(call: Call, line: string): Promise<Message> {
  const { channel } = call;
  const options = { ...(channel !== undefined && { channel }), prefill: { line } };
  const loadResult = await postFormLoader.load(call, options);
  if ('failureText' in loadResult) {
    // Slack doesn't preserve a command, so the reply quotes the text of the post.
    const { text = '' } = splitLine(line);
    return buildQuotingMessage(
      text,
      `:warning: *Not sent.* ${loadResult.failureText}\nYour text is above. Try again.`,
    );
  }
  const values = computeInitialValues(fields, loadResult.prefill ?? {}, loadResult.formContext);
  return updatePreview(call, randomUUID(), {
    state: { values, formContext: loadResult.formContext, now: call.now() },
    channel,
  });
}

type PostState = FormState<typeof fields, PostFormContext>;

interface StoredPreview {
  state: PostState;
  channel: string | undefined;
}

/** Applies a change to a preview, then stores, checks and renders the preview. */
async function updatePreview(
  call: Call,
  id: string,
  { state: previousState, channel }: StoredPreview,
  change: FormChange<typeof fields, PostFormContext> = {},
): Promise<Message> {
  const { state: changedState } = applyChange(postForm, previousState, change);
  const state = { ...changedState, formContext: await updateCustomEmoji(changedState, call) };
  await storeForm(postForm, call, id, {
    ...(channel !== undefined && { channel }),
    formContext: state.formContext,
    unconfirmed: state.values,
  });
  countEqualPostsInBackground(postForm, call, id, state);
  return renderPreview({
    id,
    state,
    checkResult: checkForm(postForm, state),
    isEmulated: call.context.isEmulated,
  });
}

/** Reads a stored preview. Undefined if it belongs to somebody else, was cancelled, or has expired. */
async function readPreview(call: Call, id: string): Promise<StoredPreview | undefined> {
  const unconfirmed = await readUnconfirmedForm(postForm, call, buildFormMetadata(postForm.version, id));
  return unconfirmed && { state: unconfirmed.state, channel: unconfirmed.stored.channel };
}

/**
 * Returns the origin of a preview's submissions. The form that [Edit] opens has the same origin, so that only one of
 * them can be sent.
 */
function getOrigin(id: string): string {
  return `${id}-sent`;
}

/** Whether the preview, or the form that [Edit] opens, has been sent. */
function isSent({ context, actor }: Call, id: string): Promise<boolean> {
  return isKnownOrigin(context.db, { workspace: actor.workspace, origin: getOrigin(id) });
}

/** Removes the stored values, so that the preview can't be sent any more. */
async function discardPreview(call: Call, id: string, { formContext }: PostState): Promise<void> {
  await storeForm(postForm, call, id, { formContext });
}

/** Creates the change of a button or menu. `value`: the value after the preview's id, or '' if there is none. */
type CreateChange = (state: PostState, value: string) => FormChange<typeof fields, PostFormContext>;

const PREVIEW_EXPIRED: Message = {
  text: 'This preview isn’t yours, or it’s too old. Nothing was scheduled.',
};
const ALREADY_SENT: Message = { text: 'This is already scheduled. See `/upnext posts`.' };

/** Creates the handlers of all actions in a preview. [Edit] opens `form`. */
export function createPreviewActions(
  form: Pick<FormHandlers, 'openForm'>,
): Record<string, (call: ActionCall) => Promise<void>> {
  return {
    [PREVIEW_ACTIONS.schedule]: sendPreview,
    [PREVIEW_ACTIONS.save]: sendPreview,
    [PREVIEW_ACTIONS.edit]: (call) => editPreview(call, form),
    [PREVIEW_ACTIONS.cancel]: cancelPreview,
    [PREVIEW_ACTIONS.draft]: (call) => handleChange(call, createDraftChange),
    [PREVIEW_ACTIONS.project]: (call) => handleChange(call, createProjectChange),
    [PREVIEW_ACTIONS.platform]: (call) => handleChange(call, createPlatformChange),
    ...Object.fromEntries(
      MOMENT_ACTIONS.map((id) => [id, (call: ActionCall) => handleChange(call, createMomentChange)]),
    ),
  };
}

/** [Schedule] and [Save draft] send the post as shown. If the post isn't valid any more, the preview is shown again. */
async function sendPreview(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(PREVIEW_EXPIRED);
  const { state, channel } = preview;
  const checkResult = checkForm(postForm, state);
  if (checkResult.kind === 'valid') {
    const target = { origin: getOrigin(id), ...(channel !== undefined && { channel }) };
    return respondToAction(call, postSubmission, { ...target, contents: checkResult.contents });
  }
  // The check also fails for a post that was sent before, once the moment of the post has passed.
  const message = (await isSent(call, id)) ? ALREADY_SENT : await updatePreview(call, id, preview);
  await call.reply(message, { replace: true });
}

/** [Edit] opens the form with the values of the preview. Only the form or the preview can be sent, not both. */
async function editPreview(call: ActionCall, form: Pick<FormHandlers, 'openForm'>): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(PREVIEW_EXPIRED);
  const { state, channel } = preview;
  const { shownMoments } = state.formContext;
  const prefill = { ...state.values, ...(shownMoments && { shownMoments }) };
  await form.openForm(
    call,
    { ...(channel !== undefined && { channel }), prefill },
    { formId: getOrigin(id) },
  );
}

/** [Cancel] discards the preview. The reply quotes the text of the post. */
async function cancelPreview(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(PREVIEW_EXPIRED, { replace: true });
  if (await isSent(call, id)) return call.reply(ALREADY_SENT, { replace: true });
  await discardPreview(call, id, preview.state);
  const text = joinTexts(preview.state.values);
  await call.reply(buildQuotingMessage(text, 'Cancelled. Nothing was scheduled.'), { replace: true });
}

async function handleChange(call: ActionCall, createChange: CreateChange): Promise<void> {
  const [id = '', ...valueParts] = (call.action.selectedValue ?? call.action.value ?? '').split('.');
  const preview = await readPreview(call, id);
  if (!preview) return call.reply(PREVIEW_EXPIRED);
  const change = createChange(preview.state, valueParts.join('.'));
  await call.reply(await updatePreview(call, id, preview, change), { replace: true });
}

const createDraftChange: CreateChange = () => ({ values: { status: 'DRAFT' } });

/** The value is the index of the project in the form context. */
const createProjectChange: CreateChange = ({ values, formContext }, value) => ({
  values: { project: formContext.projects[Number(value)] ?? values.project },
});

const createPlatformChange: CreateChange = ({ values: { platforms } }, value) => ({
  values: {
    platforms: value === 'all' ? [...ALL_PLATFORMS] : [...platforms, ...(parsePlatforms([value]) ?? [])],
  },
});

const createMomentChange: CreateChange = (state, value) => chooseMoment(value, state);
