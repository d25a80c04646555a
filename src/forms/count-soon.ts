import type { Call } from '../app/call.ts';
import { checkForm } from './check-form.ts';
import type { Form, State } from './form.ts';

/** It stands so now: where it could be sent, what is there before is counted in the background. Returns at once. */
export function countSoon(
  form: Form,
  { context, who }: Pick<Call, 'context' | 'who'>,
  id: string,
  state: State,
): void {
  const { ending } = form;
  if ('answer' in ending || ending.kind.whenUnknown.way !== 'look') return;
  context.submissions.countEarly({
    id,
    workspace: who.workspace,
    kind: ending.kind,
    contents() {
      const checked = checkForm(form, state);
      return checked.kind === 'good' ? checked.contents : [];
    },
  });
}
