import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { FormHandlers } from '../../../forms/create-form.ts';
import { applyChange, checkForm, readCurrentForm, readUnconfirmedForm } from '../../../forms/current-form.ts';
import { buildFormMetadata, computeInitialValues } from '../../../forms/field.ts';
import type { FormChange, FormState } from '../../../forms/form.ts';
import { changeStoredForm, storeForm } from '../../../forms/stored-form.ts';
import { answerWhenReady } from '../../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, Handler } from '../../../handlers/call.ts';
import { respondToAction } from '../../../handlers/respond.ts';
import { showFormSubmissions } from '../../../handlers/show-submission.ts';
import { listFormHeldPosts } from '../../../held-posts/sql/held-posts.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { renderPostText } from '../../../posts/post-text.ts';
import { context, divider, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../../slack/message.ts';
import { listFormSubmissions } from '../../../submissions/sql/submissions.ts';
import { fields, mayKeepEditable } from '../form/fields.ts';
import {
  checkPlatformRules,
  type PlatformRulesState,
  PREVIEW_BUTTON,
  REST_BUTTON,
} from '../form/platform-findings.ts';
import { type PostFormContext, postFormLoader } from '../form/post-form-context.ts';
import { joinTexts, toTextValues } from '../form/text-parts.ts';
import { holdFromPreview, showHeldPreview } from '../hold/hold-posts.ts';
import { chooseAllowedStatus, postForm, refreshPostContext } from '../post-form.ts';
import { ALL_PLATFORMS, splitLine } from '../prefill/parse-line.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { chooseMoment } from '../when/when-field.ts';
import {
  addPendingRequest,
  MOMENT_ACTIONS,
  PREVIEW_ACTIONS,
  renderOpenedInForm,
  renderPreview,
} from './preview-message.ts';

/** Shows a preview of a typed line, which only its author sees. Sends nothing to the service. */
export async function previewLine(call: Call, line: string): Promise<void> {
  await answerWhenReady(call, createPreview(call, line));
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

/** Applies a change to a preview, then stores, checks and renders the preview. */
async function updatePreview(
  call: Call,
  id: string,
  { state: previousState, channel }: Omit<StoredPreview, 'isUsed'>,
  change: FormChange<typeof fields, PostFormContext> = {},
): Promise<Message> {
  const { state: changedState } = applyChange(postForm, previousState, change);
  const formContext = await refreshPostContext(changedState, call);
  const state = await addPendingRequest(chooseAllowedStatus({ ...changedState, formContext }), call);
  await storeForm(postForm, call, id, {
    ...(channel !== undefined && { channel }),
    formContext: state.formContext,
    unconfirmed: state.values,
  });
  return renderPreview({
    id,
    state,
    checkResult: checkForm(postForm, state),
    isEmulated: call.context.isEmulated,
  });
}

const PREVIEW_EXPIRED: Message = {
  text: 'This preview isn’t yours, or it’s too old. See what’s scheduled with `/upnext posts`.',
};

const PREVIEW_USED: Message = {
  text: 'You’ve already used this preview. See your posts with `/upnext posts`.',
};

/** Creates the handlers of all actions in a preview. [Edit] opens `form`. */
export function createPreviewActions(
  form: Pick<FormHandlers, 'openForm'>,
): Record<string, Handler<ActionCall>> {
  const edit = (handle: (press: Press) => Promise<void>): Handler<ActionCall> => ({
    deed: 'edit the preview of a post',
    run: (call) => handlePress(call, handle),
  });
  return {
    [PREVIEW_ACTIONS.schedule]: {
      deed: 'confirm the preview of a post',
      role: 'publisher',
      run: (call) => handlePress(call, sendPreview),
    },
    [PREVIEW_ACTIONS.save]: {
      deed: 'confirm the preview of a draft',
      run: (call) => handlePress(call, sendPreview),
    },
    [PREVIEW_ACTIONS.draft]: {
      deed: 'confirm the preview of a draft',
      run: (call) => handlePress(call, createChangeHandler(createDraftChange)),
    },
    [PREVIEW_ACTIONS.edit]: edit((press) => editPreview(press, form)),
    [PREVIEW_ACTIONS.back]: edit(showPreview),
    [PREVIEW_ACTIONS.project]: edit(createChangeHandler(createProjectChange)),
    [PREVIEW_ACTIONS.platform]: edit(createChangeHandler(createPlatformChange)),
    ...Object.fromEntries(MOMENT_ACTIONS.map((id) => [id, edit(createChangeHandler(createMomentChange))])),
    [PREVIEW_ACTIONS.feeds]: {
      deed: 'open the preview of a post',
      run: (call) =>
        handlePress(call, async ({ preview: { state } }) => {
          await call.openView(renderFeeds(state, 'Close'));
        }),
    },
    [PREVIEW_BUTTON]: { deed: 'open the preview of a post', run: handlePreviewPress },
    [REST_BUTTON]: { deed: 'fill in the post form', run: handleRestPress },
    [PREVIEW_ACTIONS.cancel]: {
      deed: 'discard the preview of a post',
      run: (call) => handlePress(call, cancelPreview),
    },
    [PREVIEW_ACTIONS.requestAccess]: {
      deed: 'ask for a role',
      run: (call) => handlePress(call, requestAccess),
    },
  };
}

/** A press in a preview that hasn't been sent. `value`: the value after the preview's id, or '' if there is none. */
interface Press {
  call: ActionCall;
  id: string;
  value: string;
  preview: StoredPreview;
}

/**
 * Handles a press in a preview. If the preview, or the form that [Edit] opens, was sent before, the press only shows
 * the state of the post.
 */
async function handlePress(call: ActionCall, handle: (press: Press) => Promise<void>): Promise<void> {
  const [id = '', ...valueParts] = (call.action.selectedValue ?? call.action.value ?? '').split('.');
  const preview = await readPreview(call, id);
  const formId = getSubmissionFormId(id);
  if ((await showFormSubmissions(call, formId)) || (await showHeldPreview(call, formId))) return;
  if (!preview) return call.reply(PREVIEW_EXPIRED);
  if (preview.isUsed) return call.reply(PREVIEW_USED);
  await handle({ call, id, value: valueParts.join('.'), preview });
}

/** [Schedule] and [Save draft] send the post as shown. If the post isn't valid any more, the preview is shown again. */
async function sendPreview(press: Press): Promise<void> {
  const { call, id, preview } = press;
  const checkResult = checkForm(postForm, preview.state);
  if (checkResult.kind !== 'valid') return showPreview(press);
  const { channel } = preview;
  const { contents } = checkResult;
  const formId = getSubmissionFormId(id);
  const holding = await holdFromPreview(call, contents, { formId, channel });
  const result =
    holding === 'send'
      ? await respondToAction(call, postSubmission, {
          ...{ origin: formId, contents, mayKeepEditable: mayKeepEditable(preview.state) },
          ...(channel !== undefined && { channel }),
        })
      : holding;
  if (result === 'held' || result === 'sent')
    await markAsUsed(call, id).catch((error: unknown) =>
      call.log.warn({ reference: call.reference, err: error }, 'could not record that a preview was used'),
    );
}

/** If an equal post was sent before, nothing else shows that the preview was used, and a later press would send it. */
async function markAsUsed(call: ActionCall, id: string): Promise<void> {
  const key = { workspace: call.actor.workspace, origin: getSubmissionFormId(id) };
  const { db } = call.context;
  const rows = await Promise.all([listFormSubmissions(db, key), listFormHeldPosts(db, key)]);
  if (rows.flat().length > 0) return;
  await changeStoredForm(postForm, call, id, (stored) => ({ ...stored, isHandled: true }));
}

/** [Back to preview] shows the preview as it was before [Edit]. */
async function showPreview({ call, id, preview }: Press): Promise<void> {
  await call.reply(await updatePreview(call, id, preview), { replace: true });
}

/** [Edit] opens the form with the values of the preview. Only the form or the preview can be sent, not both. */
async function editPreview(
  { call, id, preview: { state, channel } }: Press,
  form: Pick<FormHandlers, 'openForm'>,
): Promise<void> {
  const { shownMoments, isDraftForced } = state.formContext;
  const text = joinWholeText(state);
  const prefill = {
    ...state.values,
    ...toTextValues([text]),
    // The form chooses "Draft" again, unless the person has got access in the meantime.
    ...(isDraftForced && { status: 'SCHEDULED' }),
    ...(shownMoments && { shownMoments }),
  };
  await form.openForm(
    call,
    { ...(channel !== undefined && { channel }), ...(call.message && { message: call.message }), prefill },
    { formId: getSubmissionFormId(id) },
  );
  await call.reply(renderOpenedInForm(id, text, !call.message), { replace: true });
}

function joinWholeText({ values, formContext }: StoredPreview['state']): string {
  return joinTexts(values) + (formContext.excessText ?? '');
}

/** [Cancel] discards the preview. The reply quotes the text of the post. */
async function cancelPreview({ call, id, preview: { state } }: Press): Promise<void> {
  await discardPreview(call, id, state);
  const text = joinWholeText(state);
  await call.reply(buildQuotingMessage(text, 'Cancelled. Nothing was scheduled.'), { replace: true });
}

/** [Request access] asks the owners for the role that can schedule in the project. The preview shows the result. */
async function requestAccess({ call, id, preview }: Press): Promise<void> {
  const project = preview.state.values.project?.id;
  if (project === undefined) return call.reply(PREVIEW_EXPIRED);
  const { message, canRetry } = await call.requestRole('publisher', project);
  const accessRequest = { project, resultText: message.text, canRetry };
  const formContext = { ...preview.state.formContext, accessRequest };
  await call.reply(await updatePreview(call, id, preview, { formContext }), { replace: true });
}

function createChangeHandler(createChange: CreateChange): (press: Press) => Promise<void> {
  return async ({ call, id, value, preview }) => {
    const change = createChange(preview.state, value);
    await call.reply(await updatePreview(call, id, preview, change), { replace: true });
  };
}

const FORM_OUTDATED = 'This form is out of date. Open a new one with `/schedule-post`.';

/** Handles [Preview] in the form. Shows the feeds on top of the form, which keeps its content. */
async function handlePreviewPress(call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current) return call.reply({ text: FORM_OUTDATED });
  await call.openView(renderFeeds(current.state, 'Back'));
}

/** Handles [Show the rest] in the form. Shows the text that doesn't fit on top of the form, which keeps its content. */
async function handleRestPress(call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current) return call.reply({ text: FORM_OUTDATED });
  const { excessText: content = '' } = current.state.formContext;
  await call.openView({
    type: 'modal',
    title: plain('Rest of the text', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: renderPostText({ post: { content, platforms: [] }, hasWholeText: true }),
  });
}

/** Renders the post as each platform's feed shows it. `close`: the label of the button that closes the view. */
function renderFeeds(state: PlatformRulesState, close: 'Back' | 'Close'): ModalView {
  const { feedPreviews } = checkPlatformRules(state);
  const feeds = feedPreviews.flatMap(({ platformName, notes, visibleText, isCut }) => [
    divider(),
    section(`*${escapeText(platformName)}*`),
    plainSection(isCut ? `${visibleText}…see more` : visibleText),
    ...(notes.length > 0 ? [context(plain(capitalize(notes.join(' · '))))] : []),
  ]);
  return {
    type: 'modal',
    title: plain('Preview', LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks: [
      context(plain(state.values.project?.name ?? 'No project chosen')),
      ...(feeds.length > 0 ? feeds : [section('Write a text and choose a platform to see a preview.')]),
    ],
  };
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type PostState = FormState<typeof fields, PostFormContext>;

/** Creates the change of a button or menu. `value`: the value after the preview's id, or '' if there is none. */
type CreateChange = (state: PostState, value: string) => FormChange<typeof fields, PostFormContext>;

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

interface StoredPreview {
  state: PostState;
  channel: string | undefined;
  /** Whether its post was found to have been sent before by another form. */
  isUsed: boolean;
}

/** Reads a stored preview. Undefined if it belongs to somebody else, was cancelled, or has expired. */
async function readPreview(call: Call, id: string): Promise<StoredPreview | undefined> {
  const unconfirmed = await readUnconfirmedForm(postForm, call, buildFormMetadata(postForm.version, id));
  if (!unconfirmed) return undefined;
  const { state, stored } = unconfirmed;
  return { state, channel: stored.channel, isUsed: stored.isHandled === true };
}

/**
 * Returns the form id of a preview's submissions. The form that [Edit] opens has the same id, so that only one of the
 * two can be sent.
 */
function getSubmissionFormId(id: string): string {
  return `${id}-sent`;
}

/** Removes the stored values, so that the preview can't be sent any more. */
async function discardPreview(call: Call, id: string, { formContext }: PostState): Promise<void> {
  await storeForm(postForm, call, id, { formContext });
}
