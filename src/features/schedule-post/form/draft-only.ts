import type { Call } from '../../../app/call.ts';
import type { FormState } from '../../../forms/form.ts';
import type { fields } from './fields.ts';
import type { PostFormContext } from './post-form-context.ts';
import { updateCustomEmoji } from './post-text.ts';
import { updateTemplate } from './template-text.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/**
 * Updates the custom emoji of the text, the chosen template, and whether the actor may only save drafts in the chosen
 * project.
 */
export async function refreshPostContext(state: PostState, call: Call): Promise<PostFormContext> {
  const [{ customEmoji }, formContext] = await Promise.all([
    updateCustomEmoji(state, call),
    updateTemplate(state, call),
  ]);
  return { ...formContext, customEmoji, isDraftOnly: call.lacks('publisher', state.values.project?.id) };
}

/** Chooses "Draft" if the actor may only save drafts. Restores "Scheduled" for a project where the actor may schedule. */
export function chooseAllowedStatus(state: PostState): PostState {
  const { values, formContext } = state;
  const { isDraftOnly = false, isDraftForced = false } = formContext;
  if (isDraftOnly && values.status === 'SCHEDULED')
    return {
      ...state,
      values: { ...values, status: 'DRAFT' },
      formContext: { ...formContext, isDraftForced: true },
    };
  if (!isDraftOnly && isDraftForced)
    return {
      ...state,
      values: { ...values, status: 'SCHEDULED' },
      formContext: { ...formContext, isDraftForced: false },
    };
  return state;
}

/** Renders what the actor can do instead of scheduling (plain text). Undefined if the actor may schedule. */
export function renderDraftOnlyNote({
  values,
  formContext,
}: {
  values: { project: unknown };
  formContext: PostFormContext;
}): string | undefined {
  if (!formContext.isDraftOnly) return undefined;
  return values.project ? 'You can only save drafts in this project.' : 'You can only save drafts.';
}
