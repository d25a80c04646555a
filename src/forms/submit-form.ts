import type { SubmissionCall, SubmissionResponse } from '../handlers/call.ts';
import { mayHaveChanged } from '../handlers/request-changes.ts';
import { isDatabaseFailure } from '../store/database-unavailable.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { saveAndSend } from '../submissions/save-and-send.ts';
import { checkForm, readSubmittedForm, type SubmittedChange, type SubmittedForm } from './current-form.ts';
import type { Form, KeptOpen } from './form.ts';
import {
  mapToBlockIds,
  renderAgain,
  renderConfirmationView,
  renderHandledView,
  renderOutdatedView,
} from './form-view.ts';
import { watchHandlers } from './live-form.ts';
import { keepTyped, showInMessages, showResult, showUnsaved } from './show-result.ts';
import { readOpenedForm } from './stored-form.ts';

/** The contents to send, or the response to the submission, and what is stored before. */
type Decision = ToSend | Answered;

interface ToSend extends SubmittedChange {
  contents: readonly unknown[];
}

interface Answered extends SubmittedChange {
  response: SubmissionResponse;
  /** Continues after the response. */
  finish?(): Promise<void>;
}

/**
 * Handles a submitted form or its confirmation. Shows what keeps the form open, asks for confirmation, or sends the
 * contents. Before the form is shown again, what was typed is stored again. Otherwise what was typed is removed from the
 * stored form: before the response if the feature has handled the contents, in the INSERT of a single new submission, and
 * after the response for other submissions.
 */
export async function submitForm(form: Form, call: SubmissionCall): Promise<void> {
  try {
    await handleForm(form, call);
  } finally {
    // Does nothing if the entry was added before, for example in the INSERT of the form's post.
    call.entry?.enqueue();
  }
}

async function handleForm(form: Form, call: SubmissionCall): Promise<void> {
  const { onSubmit } = form;
  const selectWithForm = 'kind' in onSubmit ? onSubmit.selectWithForm : undefined;
  const isOvertaken = watchHandlers(call);
  const opened = await readOpenedForm(form, call, call.view.metadata, selectWithForm);
  const submitted = opened && (await readSubmittedForm(form, call, opened));
  if (!submitted) return void (await call.answer({ view: renderOutdatedView(form, call.view.values) }));
  const checked = decideSubmission(form, submitted);
  const decision =
    'contents' in checked
      ? await handleContents(form, call, submitted, { ...checked, isOvertaken })
      : checked;
  try {
    if (decision.change || decision.typed) {
      const storing = submitted.storeChange(decision).catch((error: unknown) => {
        // The response stays true without the typed values, and also if the feature has done its work.
        if (decision.change && !mayHaveChanged()) throw error;
        call.log.warn({ reference: call.reference, err: error }, 'could not store that a form was handled');
      });
      // The database may not respond.
      await (decision.change ? storing : call.inTime(storing));
    }
    if ('contents' in decision) return await sendContents(form, call, submitted, decision.contents);
    await call.answer(decision.response);
  } finally {
    // Others are told of what was done, also if its response failed.
    if ('response' in decision) await decision.finish?.();
  }
}

/** Decides what becomes of a submitted form. Pure. A confirmed form is checked again, since time has passed. */
function decideSubmission(form: Form, submitted: SubmittedForm): Decision {
  const { formId, state, stored, isFormShown } = submitted;
  if (stored.isHandled) return { response: { view: renderHandledView(form) } };
  const checkResult = checkForm(form, state);
  if (checkResult.kind === 'invalid') {
    const outdatedField = isFormShown ? form.findFieldWithOutdatedBlocks?.(state) : undefined;
    return keepOpen(form, submitted, { errors: checkResult.errors }, outdatedField);
  }
  const { contents } = checkResult;
  const confirmation = isFormShown ? form.createConfirmation?.(contents, state) : undefined;
  const change = { formContext: state.formContext, unconfirmed: state.values };
  // A submission has only one of several contents, and the form may have to be rebuilt.
  if (!confirmation) return { contents, ...(contents.length > 1 && { change }) };
  return { response: { push: renderConfirmationView(form, formId, confirmation) }, change };
}

/** Renders what keeps a form open. Pure. `outdatedField`: a field whose blocks, rendered again, show its error. */
function keepOpen(form: Form, submitted: SubmittedForm, kept: KeptOpen, outdatedField?: string): Answered {
  const { state, hiddenFields, replacedFields, isFormShown } = submitted;
  if ('banner' in kept) {
    const { banner, formContext } = kept;
    const view = renderAgain(form, submitted, { banner, state: { ...state, formContext } });
    return { response: { view }, change: { formContext, banner }, typed: 'keep' };
  }
  const errors = Object.fromEntries(
    Object.entries<string | undefined>(kept.errors).flatMap(([field, text]) =>
      text === undefined ? [] : [[field, text]],
    ),
  );
  // Slack accepts errors only for inputs in the open view.
  const absentFields = [...hiddenFields, ...replacedFields];
  const fieldToShow = outdatedField ?? absentFields.find((name) => errors[name] !== undefined);
  if (isFormShown && fieldToShow === undefined)
    return { response: { errors: mapToBlockIds(errors, submitted) }, typed: 'keep' };
  // The blocks below the outdated field already show its error.
  const { [outdatedField ?? '']: _, ...warnings } = errors;
  const banner = `:warning: Check *${form.fields[fieldToShow ?? '']?.label}* again.`;
  const shownBanner = fieldToShow !== undefined && { banner };
  const shownFields = absentFields.filter((name) => errors[name] !== undefined);
  const formContext = form.showFields?.(state.formContext, shownFields) ?? state.formContext;
  const view = renderAgain(form, submitted, { warnings, ...shownBanner, state: { ...state, formContext } });
  return { response: { view }, change: { formContext, ...shownBanner }, typed: 'keep' };
}

/** Lets the form's feature handle the contents. Returns them if they are to be sent. */
async function handleContents(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  { isOvertaken, ...checked }: ToSend & { isOvertaken: () => boolean },
): Promise<Decision> {
  const { onSubmit } = form;
  const { contents } = checked;
  const { formId, state, stored } = submitted;
  const selected = { ...submitted.selected, isOvertaken: isOvertaken() };
  const origin = { formId, channel: stored.channel, selected };
  const answer =
    'respond' in onSubmit
      ? await onSubmit.respond(call, contents[0], state, origin)
      : ((await onSubmit.intercept?.(recordBeforePermission(call), contents, state, origin)) ?? 'send');
  if (answer === 'send') return checked;
  if ('errors' in answer || 'banner' in answer) return keepOpen(form, submitted, answer);
  const { isUnsaved = false, finish, ...response } = { isUnsaved: undefined, finish: undefined, ...answer };
  return {
    response,
    // A late copy of the form does nothing, because somebody may have changed what the form has set.
    ...('respond' in onSubmit && !('push' in answer) && { change: { isHandled: true } }),
    typed: isUnsaved ? 'keep' : 'end',
    ...(finish && { finish }),
  };
}

/**
 * Adds the request's audit entry when a feature checks a permission. After that the feature may store posts, whose entries
 * must come after the request's. What it stores before, such as how long a file is needed, has no entries.
 */
function recordBeforePermission(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    permit(...requirement) {
      call.entry?.enqueue();
      return call.permit(...requirement);
    },
  };
}

export async function sendContents(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  contents: readonly unknown[],
): Promise<void> {
  const { onSubmit } = form;
  if ('respond' in onSubmit) throw new Error(`${form.name} sends nothing to the service`);
  const { kind } = onSubmit;
  const { channel, message } = submitted.stored;
  const submissions = contents.map((content, index) => ({
    workspace: call.actor.workspace,
    author: call.actor.user,
    origin: submitted.formId,
    item: index,
    ...(channel !== undefined && { channel }),
    ...(call.trigger !== undefined && { trigger: call.trigger }),
    ...(call.sentAt && { sentAt: call.sentAt }),
    viewId: call.view.id,
    ...(message && { message }),
    content,
  }));
  await requireRoles(call, kind, contents).catch(async (error: unknown) => {
    // The form is still open, below the view that says so.
    await call.inTime(keepTyped(call, submitted));
    throw error;
  });
  const companions = [call.entry, submitted.prepareEnd()].filter((companion) => companion !== undefined);
  const { context } = call.context.submissions;
  const inFlight = await saveAndSend(context, kind, submissions, { isInRequest: true, companions });
  // The entry wasn't stored with several submissions or with an edit. It is added now, because the service may be slow.
  call.entry?.enqueue();
  if (typeof inFlight === 'string')
    return showUnsaved(form, call, submitted, { kind, submissions, reason: inFlight });
  const { place, rows } = await showResult(form, call, submitted, {
    ...{ kind, inFlight },
    renderOffer: async (id) =>
      onSubmit.renderReceiptOffer?.(call, { id, content: contents[0] }, submitted.state),
  });
  try {
    // Unless the service has the post, a change of a field that was stored meanwhile is ended too: it would be offered if
    // the service refuses the post later.
    if (place !== 'form-shown') await submitted.storeChange({ typed: 'end' }, { rereads: place === 'saved' });
    await showInMessages(call, rows);
  } catch (error) {
    // The author has read the result, which is still true. What they typed is offered once more, and a notification may
    // repeat the result.
    if (!isDatabaseFailure(error)) throw error;
    call.log.warn({ reference: call.reference, err: error }, 'could not store that a result was shown');
  }
}

/** Checks the actor's role for each submission. The required role depends on the content. */
async function requireRoles(
  call: SubmissionCall,
  kind: AnyKind,
  contents: readonly unknown[],
): Promise<void> {
  for (const content of contents)
    await call.permit(kind.getRole(content), kind.getProject(content)?.id, `send ${kind.name}`);
}
