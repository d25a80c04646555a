import type { ModalView } from '@slack/types';
import { clip } from '../slack/clip.ts';
import { serviceFailureText } from '../slack/service-trouble.ts';
import type { AnyKind, RebuildContext } from '../submissions/kind.ts';
import type { SubmissionRow } from '../submissions/sql/submissions.ts';
import { openSubmission, type Problem, type ServiceRefusal } from '../submissions/submission.ts';
import { type Unsaved, unsavedBanner } from '../submissions/text/not-saved.ts';
import { begunWith, type Fields, type Generations } from './field.ts';
import type { Form, State } from './form.ts';
import { formView } from './form-view.ts';
import { keptForm } from './kept-form.ts';

/** What a form submits, with how the form is rebuilt from it when nobody has the form at hand any more. */
export function submittedBy(form: Form): readonly AnyKind[] {
  const { ending } = form;
  if ('answer' in ending) return [];
  const { kind, typedOf } = ending;
  const whole: AnyKind = {
    ...kind,
    async rebuildForm(at, [row, ...others], why): Promise<ModalView | undefined> {
      if (!row) return undefined;
      const who = { workspace: row.workspace, user: row.author };
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
  { at, row, why }: { at: RebuildContext; row: SubmissionRow; why: ServiceRefusal },
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

/** A service may find thousands of things wrong; so many stand on top, and so much under a field. */
const MOST_ON_TOP = 5;
const FIELD_LENGTH = 500;

const KEPT = 'Your text is still here.';

/** What a refusal puts where in a form. */
interface Refusal {
  /** mrkdwn. */
  banner: string;
  /** Plain text, of what has no field. */
  others: string;
  /** Plain text by field. */
  warnings: Record<string, string>;
}

/** The service's messages by the field that each names; `others` is how many name none that is there. */
export function problemsByField(
  reason: ServiceRefusal,
  fields: Fields,
  isThere: (field: string) => boolean,
): { warnings: Record<string, string>; others: readonly Problem[] } {
  const warnings = new Map<string, string>();
  const others: Problem[] = [];
  for (const problem of reason.kind === 'invalid' ? reason.problems : []) {
    const field = fieldOf(fields, problem.field);
    if (field !== undefined && isThere(field)) {
      const before = warnings.get(field);
      const all = before === undefined ? problem.message : `${before} ${problem.message}`;
      warnings.set(field, clip(all, FIELD_LENGTH));
    } else others.push(problem);
  }
  return { warnings: Object.fromEntries(warnings), others };
}

/** What a form that comes back says. */
export function refusalWords(
  why: ServiceRefusal | Unsaved,
  fields: Fields,
  isThere: (field: string) => boolean,
): Refusal {
  if (typeof why === 'string') return { banner: unsavedBanner(why), others: '', warnings: {} };
  const { warnings, others } = problemsByField(why, fields, isThere);
  return {
    banner: bannerWords(why, Object.keys(warnings).length),
    others: lines(
      others.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)),
    ),
    warnings,
  };
}

/** Which field a name of the service's belongs to, as its 422 gives it in `loc`. */
function fieldOf(fields: Fields, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return Object.entries(fields).find(([, { api }]) => api.includes(name))?.[0];
}

/** One line for each, as far as they are worth reading. */
function lines(texts: readonly string[]): string {
  const listed = texts.slice(0, MOST_ON_TOP).map((text) => `• ${clip(text, FIELD_LENGTH)}`);
  const rest = texts.length - listed.length;
  return [...listed, ...(rest > 0 ? [`…and ${rest} more.`] : [])].join('\n');
}

function bannerWords(why: ServiceRefusal, fields: number): string {
  if (why.kind !== 'invalid')
    return `:warning: *Not sent, and nothing was saved.* ${serviceFailureText(why)} ${KEPT} Press Send to try again.`;
  const count =
    fields === 0 ? '' : ` ${fields === 1 ? 'One field needs' : `${fields} fields need`} a change.`;
  return `:warning: *Not sent.* The service did not accept this.${count} ${KEPT}`;
}
