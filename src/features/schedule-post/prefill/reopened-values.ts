import type { FormState } from '../../../forms/form.ts';
import type { fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { hideableFillFields, joinFilledTexts } from '../form/template-text.ts';
import { splitText, toTextValues } from '../form/text-parts.ts';
import type { PostContent } from '../sent/post-content.ts';

/** Converts a submitted post to the form's values, with the moment as the form showed it. */
export function toFormValues({
  values: { furtherTexts = [], ...values },
  project,
  moment,
  draft,
}: PostContent) {
  return {
    ...values,
    ...toTextValues([values.text, ...furtherTexts]),
    zone: { zone: values.zone },
    project,
    ...(draft !== undefined && { draft }),
    ...(moment && {
      shownMoments: {
        text: values.when.trim(),
        zone: values.zone,
        moments: [{ ...moment, notes: moment.notes ?? [] }],
        notes: [],
      },
    }),
  };
}

/** Creates the prefill with which an unfinished post continues. The text has the values of the fill fields. */
export function toUnfinishedPrefill(
  state: FormState<typeof fields, PostFormContext>,
): Readonly<Record<string, unknown>> {
  const { values, formContext } = state;
  const { shownMoments, draft, isDraftForced } = formContext;
  return {
    ...values,
    ...Object.fromEntries(hideableFillFields.map((name) => [name, ''])),
    ...toTextValues(splitText(joinFilledTexts(state)).parts),
    // The form chooses "Draft" again, unless the person has got access in the meantime.
    ...(isDraftForced && { status: 'SCHEDULED' }),
    ...(shownMoments && { shownMoments }),
    ...(draft !== undefined && { draft }),
  };
}
