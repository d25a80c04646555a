import { fields, type parts } from '../../src/features/schedule-post/form/fields.ts';
import { computeInitialValues, type FormValues } from '../../src/forms/field.ts';

type PostValues = FormValues<typeof fields>;

/** Some values of the form for a post. */
export type PostValueChanges = Partial<FormValues<typeof parts>> & {
  text?: string;
  [furtherText: `text${number}`]: string;
};

/** Creates the values of the form for a post on X, without a time, a zone or options. */
export function createPostValues(changes: PostValueChanges = {}): PostValues {
  const emptyContext = { projects: [], hasMore: false };
  const prefill = { text: 'Hello', platforms: ['X'], status: 'SCHEDULED' };
  return { ...computeInitialValues(fields, prefill, emptyContext), ...changes };
}
