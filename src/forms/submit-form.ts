import type { ModalView } from '@slack/types';
import type { SubmissionCall, SubmissionResponse } from '../handlers/call.ts';
import { respondToForm } from '../handlers/respond.ts';
import type { ServiceRefusal } from '../submissions/content.ts';
import { checkForm, readSubmittedForm, type SubmittedForm } from './current-form.ts';
import { buildBlockId, findChosenProject, incrementBlockVersions } from './field.ts';
import type { Form, KeptOpen } from './form.ts';
import {
  renderConfirmationView,
  renderFormView,
  renderHandledView,
  renderOutdatedView,
} from './form-view.ts';
import { groupProblemsByField, renderRefusal } from './refusals.ts';
import {
  changeStoredForm,
  endTyped,
  isSame,
  keepTyped,
  prepareFormChange,
  type StoredForm,
} from './stored-form.ts';

/** The contents to send, or the response to the submission. */
type Decision = ToSend | Answered;

interface ToSend {
  contents: readonly unknown[];
  change?: Partial<StoredForm> | undefined;
}

interface Answered {
  response: SubmissionResponse;
  /** Changes of the stored form. The next submission is checked with the context that the person sees by then. */
  change?: Partial<StoredForm> | undefined;
  /** What becomes of the typed values in the stored form. Defaults to no change. */
  typed?: 'keep' | 'end';
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
  const submitted = await readSubmittedForm(form, call);
  if (!submitted) return void (await call.answer({ view: renderOutdatedView(form, call.view.values) }));
  const checked = decideSubmission(form, submitted);
  const decision = 'contents' in checked ? await handleContents(form, call, submitted, checked) : checked;
  if ('contents' in decision) return sendContents(form, call, submitted, decision);
  await storeDecision(form, call, submitted, decision);
  await call.answer(decision.response);
  await decision.finish?.();
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
    return { response: { view }, change: { formContext }, typed: 'keep' };
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
  const view = renderAgain(form, submitted, { warnings, ...(fieldToShow !== undefined && { banner }) });
  return { response: { view }, change: { formContext: state.formContext }, typed: 'keep' };
}

/** Lets the form's feature handle the contents. Returns them if they are to be sent. */
async function handleContents(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  checked: ToSend,
): Promise<Decision> {
  const { onSubmit } = form;
  const { contents } = checked;
  const { formId, state, stored, selected } = submitted;
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

/** Sends the contents, and responds with the result. */
async function sendContents(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  { contents, change }: ToSend,
): Promise<void> {
  const { onSubmit, fields } = form;
  if ('respond' in onSubmit) throw new Error(`${form.name} sends nothing to the service`);
  if (change) await storeDecision(form, call, submitted, { change });
  let latest = submitted;
  let isEndUncertain = false;
  const ended = buildChange(form, submitted, { typed: 'end' })(submitted.stored);
  const typedEnd = prepareFormChange(call, { ...submitted, changed: ended }, (progress) => {
    isEndUncertain = progress === 'sent';
    if (progress === 'changed') latest = { ...submitted, stored: ended };
  });
  const { formId, stored, state, hiddenFields, replacedFields, isFormShown } = submitted;
  const submittedForm: Parameters<typeof respondToForm>[2] = {
    formId,
    ...(stored.channel !== undefined && { channel: stored.channel }),
    ...(stored.message && { message: stored.message }),
    contents,
    form: {
      getFieldErrors(refusal: ServiceRefusal) {
        const { warnings, otherProblems } = groupProblemsByField(refusal, fields, state.formContext);
        const fieldNames = Object.keys(warnings);
        const absentFields = [...hiddenFields, ...replacedFields];
        const areShown = isFormShown && !fieldNames.some((name) => absentFields.includes(name));
        if (!areShown || otherProblems.length > 0 || fieldNames.length === 0) return undefined;
        return mapToBlockIds(warnings, submitted);
      },
      renderForm(reason, mode): ModalView {
        const shownForm = { ...submitted, isFormShown: isFormShown && mode === 'current' };
        const view = renderAgain(form, shownForm, renderRefusal(reason, fields, state.formContext));
        return isFormShown ? view : { ...view, clear_on_close: true };
      },
      keepTyped: () =>
        storeDecision(form, call, latest, { typed: 'keep' }, isEndUncertain ? 'unknown' : 'current'),
      typedEnd,
    },
  };
  const result = await respondToForm(call, onSubmit.kind, submittedForm);
  if (result === 'form-shown') return;
  // Even if that was done before: a change of a field may have been stored meanwhile. It's never offered if the service has
  // the post, but it would be if the service refuses the post later.
  const isEnded = latest !== submitted && result === 'confirmed';
  if (!isEnded) await storeDecision(form, call, submitted, { typed: 'end' });
}

/** Renders a submitted form again. Replaced fields, or all if another view has replaced the form, get new block ids. */
function renderAgain(
  form: Form,
  { formId, state, blockVersions, replacedFields, isFormShown }: SubmittedForm,
  content: Partial<Parameters<typeof renderFormView>[1]>,
): ModalView {
  const rebuiltFields = isFormShown ? replacedFields : Object.keys(form.fields);
  return renderFormView(form, {
    ...{ formId, state, blockVersions: incrementBlockVersions(blockVersions, rebuiltFields) },
    ...content,
  });
}

/** Converts messages by field into messages by block_id. */
function mapToBlockIds(
  messages: Readonly<Record<string, string>>,
  { blockVersions }: Pick<SubmittedForm, 'blockVersions'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([field, text]) => [buildBlockId(field, blockVersions), text]),
  );
}

/**
 * Stores the change and the typed values. Also stores the submitted project, unless it is the one that was stored: a
 * later choice may be stored by now. If the form stays open, searches need it, and Slack's earlier report of it may have
 * been lost. A change may not get lost. Without one, the response stays true if storing fails. `unknown`: the stored form
 * may have changed since it was read, so it is read again.
 */
async function storeDecision(
  form: Form,
  call: SubmissionCall,
  submitted: SubmittedForm,
  decision: Pick<Answered, 'change' | 'typed'>,
  freshness: 'current' | 'unknown' = 'current',
): Promise<void> {
  const { formId } = submitted;
  const stored = freshness === 'current' ? submitted.stored : undefined;
  const apply = buildChange(form, submitted, decision);
  if (stored && isSame(apply(stored), stored)) return;
  const storing = changeStoredForm(form, call, formId, apply, stored);
  if (decision.change) return storing;
  await storing.catch((error: unknown) =>
    call.log.warn({ reference: call.reference, err: error }, 'could not update an unfinished form'),
  );
}

/** Builds the change of the stored form that `storeDecision` makes. */
function buildChange(
  form: Form,
  { stored, state }: SubmittedForm,
  { change, typed }: Pick<Answered, 'change' | 'typed'>,
): (latest: StoredForm) => StoredForm {
  const project = findChosenProject(state.values);
  return (latest) => ({
    ...(typed ? CHANGES_OF_TYPED[typed](form, latest, state) : latest),
    ...(!isSame(project, stored.project) && { project }),
    ...change,
  });
}

const CHANGES_OF_TYPED = { keep: keepTyped, end: endTyped };
