import type { Call } from '../app/call.ts';
import { checkForm } from './current-form.ts';
import type { Form, FormState } from './form.ts';

/**
 * Starts to count the service's posts that equal this form's contents. The counts are needed if the outcome of sending
 * is unknown and has to be reconciled. Does nothing if the form isn't valid. Returns without waiting for the counts.
 */
export function countEqualPostsInBackground(
  form: Form,
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  id: string,
  state: FormState,
): void {
  const { destination } = form;
  const isSubmission = 'kind' in destination;
  if (!isSubmission || destination.kind.whenUnknown.way !== 'reconcile') return;
  context.submissions.scheduleEarlyCount({
    id,
    workspace: actor.workspace,
    kind: destination.kind,
    getContents() {
      const checked = checkForm(form, state);
      return checked.kind === 'valid' ? checked.contents : [];
    },
  });
}
