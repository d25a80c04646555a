import type { Call } from '../app/call.ts';
import { checkForm } from './current-form.ts';
import type { Form, FormState } from './form.ts';

/**
 * Starts counting the service's posts that equal this form's contents, in case an unknown outcome has to be reconciled
 * later. Does nothing if the form isn't valid. Returns at once.
 */
export function countEqualPostsInBackground(
  form: Form,
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  id: string,
  state: FormState,
): void {
  const { destination } = form;
  if ('answer' in destination || destination.kind.whenUnknown.way !== 'reconcile') return;
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
