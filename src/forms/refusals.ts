import type { ModalView } from '@slack/types';
import { clip } from '../slack/escape.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import type { AnyKind, RebuildContext } from '../submissions/kind.ts';
import type { SubmissionRow } from '../submissions/sql/submissions.ts';
import { openSubmission, type Problem, type ServiceRefusal } from '../submissions/submission.ts';
import { renderUnsavedBanner, type UnsavedReason } from '../submissions/text/not-saved.ts';
import { type Fields, type Generations, prefillFields } from './field.ts';
import type { Form, State } from './form.ts';
import { formView } from './form-view.ts';
import { readStoredForm } from './stored-form.ts';

/** The kinds of submission of a form, each able to rebuild the form after its view was closed. */
export function submissionKindsOf(form: Form): readonly AnyKind[] {
  const { destination } = form;
  if ('answer' in destination) return [];
  const { kind, toTyped: typedOf } = destination;
  const whole: AnyKind = {
    ...kind,
    async rebuildForm(at, [row, ...others], why): Promise<ModalView | undefined> {
      if (!row) return undefined;
      const actor = { workspace: row.workspace, user: row.author };
      const stored = await readStoredForm(form, { context: at, actor, now: () => at.now }, row.origin);
      if (!stored?.formContext) return undefined;
      const { unconfirmed } = stored;
      // The service refused the submission, so it answers again.
      const formContext = { ...stored.formContext, isFromCache: false };
      // A row has only its own moment. A form with several moments was confirmed, so its values are stored.
      const values = others.length === 0 ? typedOf(openSubmission(at, kind, row).content) : unconfirmed;
      if (!values) return undefined;
      const typed = prefillFields(form.fields, values, formContext);
      return refusedView(form, { typed, formContext, now: at.now }, { at, row, why });
    },
  };
  return [whole];
}

function refusedView(
  form: Form,
  state: State,
  { at, row, why }: { at: RebuildContext; row: SubmissionRow; why: ServiceRefusal },
): ModalView {
  const isThere = (field: string) => form.fields[field]?.fixedText?.(state.formContext) === undefined;
  return formView(form, {
    formId: row.origin,
    state,
    generations: rebuiltGenerations(form.fields, row),
    practice: at.isEmulated,
    ...refusalText(why, form.fields, isThere),
  });
}

/** More generations than a form reaches while somebody fills it. */
const GENERATIONS_PER_REVISION = 1_000;
/** Keeps generations within the five digits that `generationsOf` reads. */
const MAX_REVISIONS = 90;

/** Generations that the form hasn't had before. With an old block_id, Slack would show the old value. */
function rebuiltGenerations(fields: Fields, { revision }: SubmissionRow): Generations {
  const generation = GENERATIONS_PER_REVISION * (1 + (revision % MAX_REVISIONS));
  return Object.fromEntries(Object.keys(fields).map((field) => [field, generation]));
}

/**
 * A response may have thousands of validation errors. These limits are ours: messages at the top, and characters per
 * field.
 */
const MAX_TOP_MESSAGES = 5;
const MAX_FIELD_LENGTH = 500;

const KEPT = 'Your text is still here.';

/** The messages of a refusal by their place in the form. */
interface Refusal {
  /** mrkdwn. */
  banner: string;
  /** Messages without a field; plain text. */
  others: string;
  /** Messages by field; plain text. */
  warnings: Record<string, string>;
}

/** Assigns the service's messages to fields; `others` are those that name no field shown in the form. */
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
      warnings.set(field, clip(all, MAX_FIELD_LENGTH));
    } else others.push(problem);
  }
  return { warnings: Object.fromEntries(warnings), others };
}

/** The text of a form that is shown again after a refusal. */
export function refusalText(
  why: ServiceRefusal | UnsavedReason,
  fields: Fields,
  isThere: (field: string) => boolean,
): Refusal {
  if (typeof why === 'string') return { banner: renderUnsavedBanner(why), others: '', warnings: {} };
  const { warnings, others } = problemsByField(why, fields, isThere);
  return {
    banner: bannerText(why, Object.keys(warnings).length),
    others: bulletList(
      others.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)),
    ),
    warnings,
  };
}

/** The field for a name of the service, as the `loc` of a 422 has it. */
function fieldOf(fields: Fields, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  return Object.entries(fields).find(([, { api }]) => api.includes(name))?.[0];
}

function bulletList(texts: readonly string[]): string {
  const listed = texts.slice(0, MAX_TOP_MESSAGES).map((text) => `• ${clip(text, MAX_FIELD_LENGTH)}`);
  const rest = texts.length - listed.length;
  return [...listed, ...(rest > 0 ? [`…and ${rest} more.`] : [])].join('\n');
}

function bannerText(why: ServiceRefusal, fields: number): string {
  if (why.kind !== 'invalid')
    return `:warning: *Not sent, and nothing was saved.* ${renderServiceFailure(why)} ${KEPT} Press Send to try again.`;
  const count =
    fields === 0 ? '' : ` ${fields === 1 ? 'One field needs' : `${fields} fields need`} a change.`;
  return `:warning: *Not sent.* The service did not accept this.${count} ${KEPT}`;
}
