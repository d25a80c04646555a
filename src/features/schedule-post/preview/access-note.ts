import type { KnownBlock } from '@slack/types';
import type { Call } from '../../../app/call.ts';
import { context } from '../../../slack/blocks.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { renderDraftOnlyNote } from '../post-form.ts';

interface AccessState {
  values: { project: { id: string } | undefined };
  formContext: PostFormContext;
}

/** Adds the pending request for access to the chosen project to the form context, unless the context has one. */
export async function addPendingRequest<State extends AccessState>(state: State, call: Call): Promise<State> {
  const { values, formContext } = state;
  if (!formContext.isDraftOnly || !values.project || findAccessRequest(state)) return state;
  const request = await call.findRoleRequest('publisher', values.project.id);
  if (!request) return state;
  const { message, canRetry } = request;
  const accessRequest = { project: values.project.id, resultText: message.text, canRetry };
  return { ...state, formContext: { ...formContext, accessRequest } };
}

/** Whether the preview offers [Request access]. A request that was sent isn't offered again. */
export function canRequestAccess(state: AccessState): boolean {
  const { values, formContext } = state;
  if (!formContext.isDraftOnly || !values.project) return false;
  return findAccessRequest(state)?.canRetry ?? true;
}

/** Renders a note for people who may only save drafts: what they can do, or the result of their request for access. */
export function renderAccessNote(state: AccessState): KnownBlock[] {
  const note = renderDraftOnlyNote(state);
  if (note === undefined) return [];
  const hint = state.values.project ? ' Request access to schedule posts.' : '';
  const request = findAccessRequest(state);
  return [context(...(request ? [note, request.resultText] : [`${note}${hint}`]))];
}

/** Finds the request for access to the chosen project. */
function findAccessRequest({ values, formContext }: AccessState): PostFormContext['accessRequest'] {
  const { accessRequest } = formContext;
  return accessRequest?.project === values.project?.id ? accessRequest : undefined;
}
