import type { FormChange, FormState } from '../../../forms/form.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import type { fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { ALL_PLATFORMS } from '../prefill/extract-platforms.ts';
import { chooseMoment } from '../when/when-field.ts';

export type PostState = FormState<typeof fields, PostFormContext>;

/** Creates the change of a button or menu. `value`: the value after the preview's id, or '' if there is none. */
export type CreateChange = (state: PostState, value: string) => FormChange<typeof fields, PostFormContext>;

export const createDraftChange: CreateChange = () => ({ values: { status: 'DRAFT' } });

/** The value is the index of the project in the form context. */
export const createProjectChange: CreateChange = ({ values, formContext }, value) => ({
  values: { project: formContext.projects[Number(value)] ?? values.project },
});

export const createPlatformChange: CreateChange = ({ values: { platforms } }, value) => ({
  values: {
    platforms: value === 'all' ? [...ALL_PLATFORMS] : [...platforms, ...(parsePlatforms([value]) ?? [])],
  },
});

export const createMomentChange: CreateChange = (state, value) => chooseMoment(value, state);
