import { getString } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { clearModals, closeModal, getModalStack } from '../state/modals.ts';
import { buildViewObject } from '../state/view-object.ts';
import { buildInteractionPart } from './payload-parts.ts';
import { buildStepPart } from './run-step.ts';

/**
 * Closes a modal, or with `all` the whole stack, and notifies the app of views with `notify_on_close`. The payload has
 * no values: one that bolt-python recorded from Slack has an input block, but empty `state.values`
 * (tests/scenario_tests/test_view_closed.py).
 */
export async function closeView(site: Site, person: string, viewId: string, all: boolean): Promise<void> {
  const stack = getModalStack(site, person);
  const stored = stack.find((entry) => entry.id === viewId);
  if (!stored) throw new Refusal('not_found');
  const isCleared = all || stored.view.clear_on_close === true;
  const closed = isCleared ? stack : stack.slice(stack.indexOf(stored));
  if (isCleared) clearModals(site, person);
  else closeModal(site, stored);
  const notifiedViews = closed.filter((entry) => entry.view.notify_on_close === true);
  await Promise.all(
    notifiedViews.map((entry) =>
      site.connection.deliver(
        { kind: 'view_closed', label: getString(entry.view, 'callback_id') ?? '' },
        {
          type: 'interactive',
          payload: {
            ...buildInteractionPart(site, 'view_closed', person),
            view: { ...buildViewObject(site, entry), state: { values: {} } },
            is_cleared: isCleared,
            response_urls: [],
            ...buildStepPart(site, person, {
              run: entry.run,
              pointer: site.triggers.make(person),
              isForm: true,
            }),
          },
          acceptsResponse: false,
        },
      ),
    ),
  );
}
