import type { ModalView } from '@slack/types';
import type { SubmissionCall } from '../app/call.ts';
import { typedTexts } from '../slack/view-values.ts';
import { answerForm } from '../submissions/answer-form.ts';
import type { ServiceRefusal } from '../submissions/submission.ts';
import { blockId, chosenProject, type Generations, nextGenerations } from './field.ts';
import type { Form } from './form.ts';
import { confirmationView, formView, outdatedView } from './form-view.ts';
import { changeForm, isSame } from './kept-form.ts';
import { problemsByField, refusalWords } from './refusals.ts';
import { checkForm, looked, type Standing, standingForm, waitingForm } from './standing-form.ts';

/** The form was submitted: checked here, each fault under its field, then shown once more or sent. */
export async function submitForm(form: Form, call: SubmissionCall): Promise<void> {
  const found = await standingForm(form, call, call.view);
  if (!found) return outdated(form, call);
  const standing = await looked(form, call, found);
  const { state, generations, formId } = standing;
  // Where errors keep the form open, its menus go by what was submitted, also if Slack's report of it got lost.
  const project = chosenProject(state.typed);
  if (!isSame(project, standing.kept.project))
    await changeForm(form, call, formId, (stored) => ({ ...stored, project }));
  const checked = checkForm(form, state);
  if (checked.kind === 'faulty') {
    const overtaken = form.overtaken?.(state);
    if (overtaken === undefined)
      return void (await call.answer({ errors: byBlock(checked.errors, generations) }));
    // What is wrong with that field is said below it.
    const others = Object.entries<string | undefined>(checked.errors).filter(
      ([field]) => field !== overtaken,
    );
    const warnings = Object.fromEntries(others.flatMap(([field, text]) => (text ? [[field, text]] : [])));
    const banner = `:warning: Nothing was sent yet: please look at *${form.fields[overtaken]?.label}* again.`;
    // What is shown is what counts when it is sent again.
    await changeForm(form, call, formId, (stored) => ({ ...stored, facts: state.facts }));
    const shown = { formId, state, generations, practice: call.context.practice, warnings, banner };
    return void (await call.answer({ view: formView(form, shown) }));
  }
  const confirmation = form.confirm?.(checked.contents, state);
  if (!confirmation) return send(form, call, standing, checked.contents, true);
  const waiting = { facts: state.facts, waiting: state.typed };
  await changeForm(form, call, formId, (stored) => ({ ...stored, ...waiting }));
  await call.answer({ view: confirmationView(form, formId, confirmation) });
}

/** The second look was submitted: what waits is checked again, time has passed. */
export async function submitConfirmed(form: Form, call: SubmissionCall): Promise<void> {
  const standing = await waitingForm(form, call, call.view.metadata);
  if (!standing) return outdated(form, call);
  const checked = checkForm(form, standing.state);
  if (checked.kind === 'good') return send(form, call, standing, checked.contents, false);
  const generations = nextGenerations(standing.generations, Object.keys(form.fields));
  const shown = { ...standing, generations, practice: call.context.practice, warnings: checked.errors };
  await call.answer({ view: formView(form, shown) });
}

async function send(
  form: Form,
  call: SubmissionCall,
  standing: Standing,
  contents: readonly unknown[],
  isOpen: boolean,
): Promise<void> {
  const { ending } = form;
  const { formId, kept, state, generations } = standing;
  if ('answer' in ending) {
    const again = async (warnings: Readonly<Partial<Record<string, string>>>) => {
      if (isOpen) return void (await call.answer({ errors: byBlock(warnings, generations) }));
      const rebuilt = nextGenerations(generations, Object.keys(form.fields));
      const shown = { formId, state, generations: rebuilt, practice: call.context.practice, warnings };
      await call.answer({ view: formView(form, shown) });
    };
    const { channel } = kept;
    for (const content of contents) await ending.answer(call, content, state, { channel, again });
    return;
  }
  const isThere = (field: string) => form.fields[field]?.instead?.(state.facts) === undefined;
  await answerForm(call, ending.kind, {
    formId,
    ...(kept.channel !== undefined && { channel: kept.channel }),
    contents,
    form: {
      inline(reason: ServiceRefusal) {
        const { warnings, others } = problemsByField(reason, form.fields, isThere);
        if (!isOpen || others.length > 0 || Object.keys(warnings).length === 0) return undefined;
        return byBlock(warnings, generations);
      },
      again(why, how): ModalView {
        const rebuilt = nextGenerations(generations, Object.keys(form.fields));
        return formView(form, {
          formId,
          state,
          generations: how === 'rebuilt' || !isOpen ? rebuilt : generations,
          practice: call.context.practice,
          ...refusalWords(why, form.fields, isThere),
        });
      },
    },
  });
}

/** Messages by field as Slack takes them, by block. */
function byBlock(
  messages: Readonly<Partial<Record<string, string>>>,
  generations: Generations,
): Record<string, string> {
  const there = Object.entries(messages).flatMap(([field, text]) =>
    text === undefined ? [] : [[blockId(field, generations), text] as const],
  );
  return Object.fromEntries(there);
}

async function outdated(form: Form, call: SubmissionCall): Promise<void> {
  await call.answer({ view: outdatedView(form, typedTexts(call.view.values)) });
}
