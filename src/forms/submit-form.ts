import type { ModalView } from '@slack/types';
import type { SubmissionCall } from '../app/call.ts';
import { listTexts } from '../slack/interaction-values.ts';
import type { ServiceRefusal } from '../submissions/content.ts';
import { respondToForm } from '../submissions/respond.ts';
import {
  type CurrentForm,
  checkForm,
  readCurrentForm,
  readUnconfirmedForm,
  refreshContext,
} from './current-form.ts';
import {
  type BlockVersions,
  buildBlockId,
  type Fields,
  findChosenProject,
  incrementBlockVersions,
} from './field.ts';
import type { Form, FormHandle } from './form.ts';
import type { FormContext } from './form-context.ts';
import {
  renderConfirmationView,
  renderFormView,
  renderHandledView,
  renderOutdatedView,
} from './form-view.ts';
import { groupProblemsByField, renderRefusal } from './refusals.ts';
import { answerAfterHandlers } from './running-handlers.ts';
import { changeStoredForm, isSame } from './stored-form.ts';
import { deleteUnfinishedForm, endUnfinishedForm, saveUnfinishedForm } from './unfinished-form.ts';

/** Handles a submitted form. Shows errors under the fields, asks for confirmation, or sends the contents. */
export async function submitForm(form: Form, submission: SubmissionCall): Promise<void> {
  const call = answerAfterHandlers(submission);
  const submittedForm = await readCurrentForm(form, call, call.view);
  if (!submittedForm) return showOutdatedView(form, call);
  if (submittedForm.stored.isHandled) return void (await call.answer({ view: renderHandledView(form) }));
  const current = await refreshContext(form, call, submittedForm);
  const { state, blockVersions, formId, hiddenFields } = current;
  // Store the submitted project. If the form stays open because of errors, searches need this project. Slack's earlier
  // report of the chosen project may have been lost.
  const project = findChosenProject(state.values);
  if (!isSame(project, current.stored.project))
    await changeStoredForm(form, call, formId, (stored) => ({ ...stored, project }));
  const checkResult = checkForm(form, state);
  if (checkResult.kind === 'invalid') {
    await saveUnfinishedForm(form, call, current);
    const outdatedField = form.findFieldWithOutdatedBlocks?.(state);
    // Slack accepts errors only for fields in the open view.
    const fieldToShow = outdatedField ?? hiddenFields.find((name) => checkResult.errors[name] !== undefined);
    if (fieldToShow === undefined)
      return void (await call.answer({ errors: mapToBlockIds(checkResult.errors, blockVersions) }));
    // The blocks below the outdated field already show its error.
    const otherErrors = Object.entries<string | undefined>(checkResult.errors).filter(
      ([field]) => field !== outdatedField,
    );
    const warnings = Object.fromEntries(
      otherErrors.flatMap(([field, text]) => (text ? [[field, text]] : [])),
    );
    const banner = `:warning: Nothing was sent yet. Check *${form.fields[fieldToShow]?.label}* again.`;
    // The next submission must be checked with the context that the person sees now.
    await changeStoredForm(form, call, formId, (stored) => ({ ...stored, formContext: state.formContext }));
    const content = { formId, state, blockVersions, warnings, banner };
    return void (await call.answer({ view: renderFormView(form, content) }));
  }
  const confirmation = form.createConfirmation?.(checkResult.contents, state);
  if (!confirmation) return sendForm(form, call, current, checkResult.contents, { isFormShown: true });
  const unconfirmedForm = { formContext: state.formContext, unconfirmed: state.values };
  await changeStoredForm(form, call, formId, (stored) => ({ ...stored, ...unconfirmedForm }));
  await call.answer({ push: renderConfirmationView(form, formId, confirmation) });
}

/** Handles a submitted confirmation. Checks the values again, since time has passed. */
export async function submitConfirmedForm(form: Form, confirmationCall: SubmissionCall): Promise<void> {
  const call = closeFormWithResult(confirmationCall);
  const current = await readUnconfirmedForm(form, call, call.view.metadata);
  if (!current) return showOutdatedView(form, call);
  if (current.stored.isHandled) return void (await call.answer({ view: renderHandledView(form) }));
  const checkResult = checkForm(form, current.state);
  if (checkResult.kind === 'valid')
    return sendForm(form, call, current, checkResult.contents, { isFormShown: false });
  const blockVersions = incrementBlockVersions(current.blockVersions, Object.keys(form.fields));
  const content = { ...current, blockVersions, warnings: checkResult.errors };
  await call.answer({ view: renderFormView(form, content) });
}

/** The form stays open below its confirmation, so closing a view that replaces the confirmation closes the form too. */
function closeFormWithResult(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    answer: (response) =>
      call.answer('view' in response ? { view: { ...response.view, clear_on_close: true } } : response),
  };
}

async function sendForm(
  form: Form,
  call: SubmissionCall,
  current: CurrentForm,
  contents: readonly unknown[],
  { isFormShown }: { isFormShown: boolean },
): Promise<void> {
  const { onSubmit } = form;
  const { formId, stored, state, blockVersions, hiddenFields } = current;
  const handle = createFormHandle(form, call, current, { isFormShown });
  if ('respond' in onSubmit) return respondOnce(form, call, { formId, contents, state, handle });
  const interception = (await onSubmit.intercept?.(call, contents, state, handle)) ?? 'send';
  const typedValues = {
    keep: () => saveUnfinishedForm(form, call, current),
    delete: () => deleteUnfinishedForm(form, call, formId),
    end: () => endUnfinishedForm(form, call, formId),
  };
  if (interception !== 'send')
    return updateAfterAnswer(call, interception === 'handled' ? typedValues.end : typedValues.keep);
  const isShown = (field: string) => form.fields[field]?.renderFixedText?.(state.formContext) === undefined;
  let update = typedValues.end;
  await respondToForm(call, onSubmit.kind, {
    formId,
    ...(stored.channel !== undefined && { channel: stored.channel }),
    ...(stored.message && { message: stored.message }),
    contents,
    mayKeepEditable: onSubmit.mayKeepEditable?.(state) ?? false,
    form: {
      getFieldErrors(refusal: ServiceRefusal) {
        const { warnings, otherProblems } = groupProblemsByField(refusal, form.fields, isShown);
        const fieldNames = Object.keys(warnings);
        const areShown = isFormShown && !fieldNames.some((name) => hiddenFields.includes(name));
        if (!areShown || otherProblems.length > 0 || fieldNames.length === 0) return undefined;
        update = typedValues.delete;
        return mapToBlockIds(warnings, blockVersions);
      },
      renderForm(refusal, mode): ModalView {
        // The outbox has the text that the service refused. Only the form has the text that wasn't saved.
        update = typeof refusal === 'string' ? typedValues.keep : typedValues.delete;
        const rebuilt = incrementBlockVersions(blockVersions, Object.keys(form.fields));
        const view = renderFormView(form, {
          formId,
          state,
          blockVersions: mode === 'rebuilt' || !isFormShown ? rebuilt : blockVersions,
          ...renderRefusal(refusal, form.fields, isShown),
        });
        return isFormShown ? view : { ...view, clear_on_close: true };
      },
    },
  });
  await updateAfterAnswer(call, update);
}

/** Updates the typed values after the answer, which stays true if that fails. */
async function updateAfterAnswer(call: SubmissionCall, update: () => Promise<void>): Promise<void> {
  await update().catch((error: unknown) =>
    call.log.warn({ reference: call.reference, err: error }, 'could not update an unfinished form'),
  );
}

/**
 * Lets the feature handle the form. If that closed the form, a late copy of it does nothing, because somebody may have
 * changed what the form has set.
 */
async function respondOnce(
  form: Form,
  call: SubmissionCall,
  submitted: {
    formId: string;
    contents: readonly unknown[];
    state: CurrentForm['state'];
    handle: FormHandle<Fields, FormContext>;
  },
): Promise<void> {
  const { formId, contents, state, handle } = submitted;
  if (!('respond' in form.onSubmit)) return;
  let isClosed = false;
  const closingCall: SubmissionCall = {
    ...call,
    answer: (response) => {
      isClosed ||= 'view' in response || 'close' in response;
      return call.answer(response);
    },
  };
  for (const content of contents) await form.onSubmit.respond(closingCall, content, state, handle);
  if (isClosed) await changeStoredForm(form, call, formId, (stored) => ({ ...stored, isHandled: true }));
}

/** Creates the functions with which a feature keeps the submitted form open. */
function createFormHandle(
  form: Form,
  call: SubmissionCall,
  { formId, stored, state, blockVersions }: CurrentForm,
  { isFormShown }: { isFormShown: boolean },
): FormHandle<Fields, FormContext> {
  const render = (content: Partial<Parameters<typeof renderFormView>[1]>) => {
    const rebuilt = incrementBlockVersions(blockVersions, Object.keys(form.fields));
    return renderFormView(form, {
      formId,
      state,
      blockVersions: isFormShown ? blockVersions : rebuilt,
      ...content,
    });
  };
  return {
    formId,
    channel: stored.channel,
    message: stored.message,
    async showErrors(warnings) {
      if (isFormShown) await call.answer({ errors: mapToBlockIds(warnings, blockVersions) });
      else await call.answer({ view: render({ warnings }) });
    },
    async showBanner(banner, formContext) {
      await changeStoredForm(form, call, formId, (earlier) => ({ ...earlier, formContext }));
      await call.answer({ view: render({ banner, state: { ...state, formContext } }) });
    },
  };
}

/** Converts messages by field into messages by block_id. */
function mapToBlockIds(
  messages: Readonly<Partial<Record<string, string>>>,
  blockVersions: BlockVersions,
): Record<string, string> {
  const entries = Object.entries(messages).flatMap(([field, text]) =>
    text === undefined ? [] : [[buildBlockId(field, blockVersions), text] as const],
  );
  return Object.fromEntries(entries);
}

async function showOutdatedView(form: Form, call: SubmissionCall): Promise<void> {
  await call.answer({ view: renderOutdatedView(form, listTexts(call.view.values)) });
}
