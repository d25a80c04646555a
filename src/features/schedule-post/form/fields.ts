import type { KnownBlock } from '@slack/types';
import { buildActionId, type FormValues } from '../../../forms/field.ts';
import { type Editability, isKeepEditableOffered } from '../../../posts/post-text.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { OPTION_FIELDS, type PartName, parts } from './parts.ts';
import type { PostFormContext } from './post-form-context.ts';
import { fillFields, listRequiredPlaceholders } from './template-text.ts';
import { createTextField, furtherTextFields } from './text-parts.ts';

/** The form's callback_id, and the prefix of this feature's action ids. */
export const FORM_NAME = 'schedule-post';

/** The fields of the form, in the order of the view. */
export const fields = Object.assign({ text: createTextField('Text') }, furtherTextFields, fillFields, parts);

type PostValues = FormValues<typeof fields>;

type ShownOptions = Pick<PostFormContext, 'shownOptions'>;

/** The name of [More options]. */
export const MORE_OPTIONS_BUTTON = 'more-options';

/** Lists the option fields with a value. A default time zone isn't a value, but a missing one has to be chosen. */
export function listFilledOptions(values: PostValues): PartName[] {
  return OPTION_FIELDS.filter((name) => (name === 'zone' ? !values.zone.isDefault : values[name]));
}

/** Lists the option fields that the form doesn't show. */
export function listHiddenOptions({ shownOptions = [] }: ShownOptions): PartName[] {
  return OPTION_FIELDS.filter((name) => !shownOptions.includes(name));
}

/** Renders [More options]. Empty if the form shows all fields. */
export function renderMoreOptions(formContext: ShownOptions): KnownBlock[] {
  if (listHiddenOptions(formContext).length === 0) return [];
  return [actions(button('More options', buildActionId(FORM_NAME, MORE_OPTIONS_BUTTON)))];
}

/** Finds the fields that a submission with these values requires. Drafts may be unfinished. */
export function findRequiredPostFields({
  values,
  formContext,
}: {
  values: PostValues;
  formContext: PostFormContext;
}): (keyof PostValues & string)[] {
  const { status, template, prompt, when } = values;
  const isScheduled = status !== 'DRAFT';
  // Without a text, the template's text would go out with its placeholders.
  const hasPlaceholders = (formContext.placeholders ?? []).length > 0;
  const mayOmitText = (template || prompt) && !(isScheduled && hasPlaceholders);
  return [
    ...(mayOmitText ? [] : ['text' as const]),
    ...(isScheduled
      ? (['platforms', 'when', ...listRequiredPlaceholders({ values, formContext })] as const)
      : []),
    ...(isScheduled || when.trim() !== '' ? ['zone' as const] : []),
  ];
}

/** Whether posts of the chosen project can be edited after they are scheduled. */
export function findEditability({
  values: { project },
  formContext: { holding = {}, mayChangePolicy },
}: {
  values: Pick<Editability, 'project'>;
  formContext: PostFormContext;
}): Editability {
  return { project, leadMinutes: project && holding[project.id]?.leadMinutes, mayChangePolicy };
}

/** Whether the result of the form offers the actor that posts of the chosen project stay editable. */
export function mayKeepEditable(state: Parameters<typeof findEditability>[0]): boolean {
  return isKeepEditableOffered(findEditability(state));
}
