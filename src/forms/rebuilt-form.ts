import type { ModalView } from '@slack/types';
import type { AnyKind, Rebuilding } from '../submissions/kind.ts';
import type { SubmissionRow } from '../submissions/sql/submissions.ts';
import { openSubmission, type Reason } from '../submissions/submission.ts';
import { begunWith, type Fields } from './field.ts';
import type { Form, State } from './form.ts';
import { formView } from './form-view.ts';
import type { Generations } from './ids.ts';
import { keptForm } from './kept-form.ts';
import { refusalWords } from './refusals.ts';

/** What a form submits, with how the form is rebuilt from it when nobody has the form at hand any more. */
export function submittedBy(form: Form): readonly AnyKind[] {
  const { ending } = form;
  if ('answer' in ending) return [];
  const { kind, typedOf } = ending;
  const whole: AnyKind = {
    ...kind,
    async rebuilt(at, [row, ...others], why): Promise<ModalView | undefined> {
      if (!row) return undefined;
      const who = { workspace: row.workspace, user: row.asker };
      const kept = await keptForm(form, { context: at, who, now: () => at.now }, row.origin);
      if (!kept?.facts) return undefined;
      const { waiting } = kept;
      // It has answered since.
      const facts = { ...kept.facts, isLast: false };
      // Each row knows its own moment alone; a form of several was shown once more, and waited for that.
      const words = others.length === 0 ? typedOf(openSubmission(at, kind, row).content) : waiting;
      if (!words) return undefined;
      const typed = begunWith(form.fields, words, facts);
      return refusedView(form, { typed, facts, now: at.now }, { at, row, why });
    },
  };
  return [whole];
}

function refusedView(
  form: Form,
  state: State,
  { at, row, why }: { at: Rebuilding; row: SubmissionRow; why: Reason },
): ModalView {
  const isThere = (field: string) => form.fields[field]?.instead?.(state.facts) === undefined;
  return formView(form, {
    formId: row.origin,
    state,
    generations: rebuiltGenerations(form.fields, row),
    practice: at.practice,
    ...refusalWords(why, form.fields, isThere),
  });
}

/** More than a form that is being filled gets to. */
const APART = 1_000;
const MOST = 90;

/** Ids that the form has not had: Slack would keep what stood there. */
function rebuiltGenerations(fields: Fields, { revision }: SubmissionRow): Generations {
  const generation = APART * (1 + (revision % MOST));
  return Object.fromEntries(Object.keys(fields).map((field) => [field, generation]));
}
