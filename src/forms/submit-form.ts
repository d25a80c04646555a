import type { ModalView } from '@slack/types';
import type { SubmissionCall } from '../app/call.ts';
import { listTexts } from '../slack/interaction-values.ts';
import { answerForm } from '../submissions/answer-form.ts';
import type { ServiceRefusal } from '../submissions/submission.ts';
import {
  type CurrentForm,
  checkForm,
  readCurrentForm,
  readUnconfirmedForm,
  refreshContext,
} from './current-form.ts';
import { blockId, chosenProject, type Generations, nextGenerations } from './field.ts';
import type { Form } from './form.ts';
import { confirmationView, formView, outdatedView } from './form-view.ts';
import { problemsByField, refusalText } from './refusals.ts';
import { changeForm, isSame } from './stored-form.ts';

/** Handles a submitted form: shows errors under their fields, asks for confirmation, or sends it. */
export async function submitForm(form: Form, call: SubmissionCall): Promise<void> {
  const found = await readCurrentForm(form, call, call.view);
  if (!found) return answerOutdated(form, call);
  const current = await refreshContext(form, call, found);
  const { state, generations, formId } = current;
  // If errors keep the form open, searches use the submitted project, even if Slack's report of it got lost.
  const project = chosenProject(state.typed);
  if (!isSame(project, current.stored.project))
    await changeForm(form, call, formId, (stored) => ({ ...stored, project }));
  const checked = checkForm(form, state);
  if (checked.kind === 'faulty') {
    const outdatedField = form.outdatedField?.(state);
    if (outdatedField === undefined)
      return void (await call.answer({ errors: byBlock(checked.errors, generations) }));
    // The blocks below that field show its error.
    const others = Object.entries<string | undefined>(checked.errors).filter(
      ([field]) => field !== outdatedField,
    );
    const warnings = Object.fromEntries(others.flatMap(([field, text]) => (text ? [[field, text]] : [])));
    const banner = `:warning: Nothing was sent yet: please look at *${form.fields[outdatedField]?.label}* again.`;
    // The next submission is checked with the context that the person sees now.
    await changeForm(form, call, formId, (stored) => ({ ...stored, formContext: state.formContext }));
    const shown = { formId, state, generations, practice: call.context.isEmulated, warnings, banner };
    return void (await call.answer({ view: formView(form, shown) }));
  }
  const confirmation = form.confirm?.(checked.contents, state);
  if (!confirmation) return send(form, call, current, checked.contents, true);
  const unconfirmed = { formContext: state.formContext, unconfirmed: state.typed };
  await changeForm(form, call, formId, (stored) => ({ ...stored, ...unconfirmed }));
  await call.answer({ view: confirmationView(form, formId, confirmation) });
}

/** Handles a submitted confirmation. The values are checked again, since time has passed. */
export async function submitConfirmed(form: Form, call: SubmissionCall): Promise<void> {
  const current = await readUnconfirmedForm(form, call, call.view.metadata);
  if (!current) return answerOutdated(form, call);
  const checked = checkForm(form, current.state);
  if (checked.kind === 'good') return send(form, call, current, checked.contents, false);
  const generations = nextGenerations(current.generations, Object.keys(form.fields));
  const shown = { ...current, generations, practice: call.context.isEmulated, warnings: checked.errors };
  await call.answer({ view: formView(form, shown) });
}

async function send(
  form: Form,
  call: SubmissionCall,
  current: CurrentForm,
  contents: readonly unknown[],
  isOpen: boolean,
): Promise<void> {
  const { destination } = form;
  const { formId, stored, state, generations } = current;
  if ('answer' in destination) {
    const again = async (warnings: Readonly<Partial<Record<string, string>>>) => {
      if (isOpen) return void (await call.answer({ errors: byBlock(warnings, generations) }));
      const rebuilt = nextGenerations(generations, Object.keys(form.fields));
      const shown = { formId, state, generations: rebuilt, practice: call.context.isEmulated, warnings };
      await call.answer({ view: formView(form, shown) });
    };
    const { channel } = stored;
    for (const content of contents) await destination.answer(call, content, state, { channel, again });
    return;
  }
  const isThere = (field: string) => form.fields[field]?.fixedText?.(state.formContext) === undefined;
  await answerForm(call, destination.kind, {
    formId,
    ...(stored.channel !== undefined && { channel: stored.channel }),
    contents,
    form: {
      getFieldErrors(reason: ServiceRefusal) {
        const { warnings, others } = problemsByField(reason, form.fields, isThere);
        if (!isOpen || others.length > 0 || Object.keys(warnings).length === 0) return undefined;
        return byBlock(warnings, generations);
      },
      renderForm(why, how): ModalView {
        const rebuilt = nextGenerations(generations, Object.keys(form.fields));
        return formView(form, {
          formId,
          state,
          generations: how === 'rebuilt' || !isOpen ? rebuilt : generations,
          practice: call.context.isEmulated,
          ...refusalText(why, form.fields, isThere),
        });
      },
    },
  });
}

/** Converts messages by field to messages by block_id. */
function byBlock(
  messages: Readonly<Partial<Record<string, string>>>,
  generations: Generations,
): Record<string, string> {
  const there = Object.entries(messages).flatMap(([field, text]) =>
    text === undefined ? [] : [[blockId(field, generations), text] as const],
  );
  return Object.fromEntries(there);
}

async function answerOutdated(form: Form, call: SubmissionCall): Promise<void> {
  await call.answer({ view: outdatedView(form, listTexts(call.view.values)) });
}
