import { stringIn } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { clearModals, closeModal, getModalStack } from '../state/modals.ts';
import { viewObject } from '../state/view-object.ts';
import { interaction } from './payload-parts.ts';
import { stepPart } from './steps.ts';

/**
 * Closes a modal for its person, and notifies the app if the view has `notify_on_close`. The payload has no typed
 * values: one that bolt-python recorded from Slack has an input block, but empty `state.values`
 * (tests/scenario_tests/test_view_closed.py).
 */
export async function closeView(site: Site, person: string, viewId: string, all: boolean): Promise<void> {
  const stack = getModalStack(site, person);
  const stored = stack.find((entry) => entry.id === viewId);
  if (!stored) throw new Refusal('not_found');
  const cleared = all || stored.view.clear_on_close === true;
  const closed = cleared ? stack : stack.slice(stack.indexOf(stored));
  if (cleared) clearModals(site, person);
  else closeModal(site, stored);
  const notifiedViews = closed.filter((entry) => entry.view.notify_on_close === true);
  await Promise.all(
    notifiedViews.map((entry) =>
      site.courier.deliver(
        { kind: 'view_closed', label: stringIn(entry.view, 'callback_id') ?? '' },
        {
          type: 'interactive',
          payload: {
            ...interaction(site, 'view_closed', person),
            view: { ...viewObject(site, entry), state: { values: {} } },
            is_cleared: cleared,
            response_urls: [],
            ...stepPart(site, person, {
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
