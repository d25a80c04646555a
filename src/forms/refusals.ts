import type { ModalView } from '@slack/types';
import { toPlainName } from '../api/problems.ts';
import { clip } from '../slack/blocks.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { decryptSubmission, getProblems, type Problem, type ServiceRefusal } from '../submissions/content.ts';
import type { AnyKind } from '../submissions/kind.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { renderProblems } from '../submissions/text/render-submission.ts';
import { renderUnsavedBanner, type UnsavedReason } from '../submissions/text/state-blocks.ts';
import type { SubmittedForm } from './current-form.ts';
import {
  type BlockVersions,
  buildBlockId,
  computeInitialValues,
  type Fields,
  incrementBlockVersions,
  isInput,
} from './field.ts';
import type { Form, FormState } from './form.ts';
import type { FormContext } from './form-context.ts';
import { renderFormView } from './form-view.ts';
import { readStoredForm } from './stored-form.ts';

/** Builds the kinds of submission of a form. Each kind can rebuild the form after its view was closed. */
export function buildSubmissionKinds(form: Form): readonly AnyKind[] {
  const { onSubmit } = form;
  if ('respond' in onSubmit) return [];
  const { kind, toValues } = onSubmit;
  const rebuildableKind: AnyKind = {
    ...kind,
    async rebuildForm(context, [row, ...otherRows], refusal): Promise<ModalView | undefined> {
      if (!row) return undefined;
      const actor = { workspace: row.workspace, user: row.author };
      const owner = { context, actor, now: () => context.now };
      const stored = await readStoredForm(form, owner, row.origin);
      const storedContext = form.contextLoader.schema.safeParse(stored?.formContext).data;
      if (!stored || !storedContext) return undefined;
      const { unconfirmed } = stored;
      // A refusal is a response of the service, so the service is reachable again.
      const formContext = { ...storedContext, isFromCache: false };
      // A row contains only one of the form's moments. The values of a form with several moments were stored before
      // they were sent.
      const storedValues =
        otherRows.length === 0 ? toValues(decryptSubmission(context, kind, row).content) : unconfirmed;
      if (!storedValues) return undefined;
      const values = computeInitialValues(form.fields, storedValues, formContext);
      return renderRefusedForm(form, { values, formContext, now: context.now }, { row, refusal });
    },
  };
  return [rebuildableKind];
}

function renderRefusedForm(
  form: Form,
  state: FormState,
  { row, refusal }: { row: SubmissionRow; refusal: ServiceRefusal },
): ModalView {
  const view = renderFormView(form, {
    formId: row.origin,
    state,
    blockVersions: computeRebuiltVersions(form.fields, row),
    ...renderRefusal(refusal, form.fields, state.formContext),
  });
  // The view may be on top of the submitted form.
  return { ...view, clear_on_close: true };
}

/** More block versions than a form can reach while somebody fills it in. */
const BLOCK_VERSIONS_PER_REVISION = 1_000;
/** Limits block versions to the five digits that `parseBlockVersions` accepts. */
const MAX_REVISIONS = 90;

/** Computes block versions that the form hasn't had yet. With an earlier block_id, Slack would show the earlier value. */
function computeRebuiltVersions(fields: Fields, { revision }: SubmissionRow): BlockVersions {
  const blockVersion = BLOCK_VERSIONS_PER_REVISION * (1 + (revision % MAX_REVISIONS));
  return Object.fromEntries(Object.keys(fields).map((field) => [field, blockVersion]));
}

/** Maximum length, in UTF-16 units, of all messages under one field together. */
const MAX_MESSAGE_LENGTH = 500;

const TEXT_PRESERVED_NOTE = 'Your text is still here.';

/** The messages of a refusal, by place in the form. */
interface RefusalMessages {
  /** mrkdwn. */
  banner: string;
  /** Messages that belong to no shown field; plain text. */
  generalMessages: string;
  /** Messages by field; plain text. */
  warnings: Record<string, string>;
}

/** Groups the service's problems by field. `otherProblems` are the problems that belong to no shown field. */
export function groupProblemsByField(
  refusal: ServiceRefusal,
  fields: Fields,
  formContext: FormContext,
): { warnings: Record<string, string>; otherProblems: readonly Problem[] } {
  const warnings = new Map<string, string>();
  const otherProblems: Problem[] = [];
  for (const problem of getProblems(refusal)) {
    const field = findField(fields, problem);
    if (field !== undefined && isInput(fields[field], formContext)) {
      const earlierText = warnings.get(field);
      const text = earlierText === undefined ? problem.message : `${earlierText} ${problem.message}`;
      warnings.set(field, clip(text, MAX_MESSAGE_LENGTH));
    } else otherProblems.push(problem);
  }
  return { warnings: Object.fromEntries(warnings), otherProblems };
}

/** Renders the messages of a form that is shown again because a submission was refused or not saved. */
export function renderRefusal(
  refusal: ServiceRefusal | UnsavedReason,
  fields: Fields,
  formContext: FormContext,
): RefusalMessages {
  if (typeof refusal === 'string')
    return { banner: renderUnsavedBanner(refusal), generalMessages: '', warnings: {} };
  const { warnings, otherProblems } = groupProblemsByField(refusal, fields, formContext);
  return {
    banner: renderBanner(refusal, Object.keys(warnings).length),
    generalMessages: renderProblems(otherProblems),
    warnings,
  };
}

/** Renders a submitted form again. Replaced fields, or all if another view has replaced the form, get new block ids. */
export function renderAgain(
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

/**
 * Renders a submitted form again because a submission was refused or not saved. `rebuilt`: another view has replaced the
 * form, so the fields get new block ids.
 */
export function renderRefusedAgain(
  form: Form,
  submitted: SubmittedForm,
  reason: ServiceRefusal | UnsavedReason,
  mode: 'current' | 'rebuilt',
): ModalView {
  const { isFormShown, state } = submitted;
  const shownForm = { ...submitted, isFormShown: isFormShown && mode === 'current' };
  const view = renderAgain(form, shownForm, renderRefusal(reason, form.fields, state.formContext));
  return isFormShown ? view : { ...view, clear_on_close: true };
}

/** Finds the errors of a refused form by block id. Undefined if a problem belongs to no field of the open view. */
export function findFieldErrors(
  { fields }: Form,
  submitted: SubmittedForm,
  refusal: ServiceRefusal,
): Record<string, string> | undefined {
  const { state, hiddenFields, replacedFields, isFormShown } = submitted;
  const { warnings, otherProblems } = groupProblemsByField(refusal, fields, state.formContext);
  const fieldNames = Object.keys(warnings);
  const absentFields = [...hiddenFields, ...replacedFields];
  const areShown = isFormShown && !fieldNames.some((name) => absentFields.includes(name));
  if (!areShown || otherProblems.length > 0 || fieldNames.length === 0) return undefined;
  return mapToBlockIds(warnings, submitted);
}

/** Converts messages by field into messages by block_id. */
export function mapToBlockIds(
  messages: Readonly<Record<string, string>>,
  { blockVersions }: Pick<SubmittedForm, 'blockVersions'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([field, text]) => [buildBlockId(field, blockVersions), text]),
  );
}

/**
 * Finds the form field for a problem: the first name in its location that is an API field of the form. The location may
 * begin with other names, such as `body` and `post`.
 */
function findField(fields: Fields, { field, loc }: Problem): string | undefined {
  const names = [...loc, field].flatMap((name) => (typeof name === 'string' ? toPlainName(name) : []));
  const findByName = (name: string) =>
    Object.keys(fields).find((formField) =>
      fields[formField]?.apiFields.some((apiField) => toPlainName(apiField) === name),
    );
  return names.map(findByName).find((formField) => formField !== undefined);
}

function renderBanner(refusal: ServiceRefusal, fieldCount: number): string {
  if (refusal.kind !== 'invalid')
    return `:warning: *Not sent.* ${renderServiceFailure(refusal)}\n${TEXT_PRESERVED_NOTE} Press the button to try again.`;
  const countText =
    fieldCount === 0
      ? ''
      : ` ${fieldCount === 1 ? 'One field needs' : `${fieldCount} fields need`} a change.`;
  return `:warning: *Not sent.* The service didn’t accept this.${countText}\n${TEXT_PRESERVED_NOTE}`;
}
