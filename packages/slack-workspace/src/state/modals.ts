import { isDeepStrictEqual } from 'node:util';
import { addIds } from '../blocks/add-ids.ts';
import { computeValues } from '../blocks/element-values.ts';
import { getRecords, type Json } from '../json.ts';
import type { OpenView, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { isOwnView } from './apps.ts';
import { makeId, makeViewHash } from './ids.ts';
import type { StoredView } from './saved-state.ts';

/** The open modals of a person, bottom first. */
export function getModalStack(site: Site, person: string): readonly StoredView[] {
  return site.state.modals[person] ?? [];
}

/** The open modals of a person for the page, bottom first. */
export function listOpenViews(site: Site, person: string): OpenView[] {
  return getModalStack(site, person).map((stored) => {
    const { id, hash, view, errors, values } = stored;
    const app = site.apps.find((each) => isOwnView(each, stored));
    return { id, hash, view, errors, values, ...(app && { botUserId: app.state.app.botUserId }) };
  });
}

function setStack(site: Site, person: string, stack: StoredView[]): void {
  site.state.modals[person] = stack;
  site.touch();
  site.audience.sendTo([person], { type: 'views', views: listOpenViews(site, person) });
}

/**
 * Creates a view, with generated ids where the app gave none, and with the initial values. `below` is the view under
 * it.
 */
export function createView(site: Site, person: string, view: Json, below?: StoredView): StoredView {
  const id = makeId('V');
  const blocks = addIds(getRecords(view, 'blocks'));
  return {
    id,
    hash: makeViewHash(site.now()),
    person,
    app: site.state.app.id,
    rootId: below?.rootId ?? id,
    previousId: below?.id ?? null,
    ...(below?.run === undefined ? {} : { run: below.run }),
    view: { ...view, blocks },
    errors: {},
    values: computeValues(blocks, {}),
  };
}

/** Replaces the content of a view. It gets a new hash, and keeps the values of blocks whose ids stay the same. */
export function replaceContent(site: Site, stored: StoredView, view: Json): StoredView {
  const blocks = addIds(getRecords(view, 'blocks'));
  return {
    ...stored,
    hash: makeViewHash(site.now()),
    view: { ...view, blocks },
    errors: {},
    values: computeValues(blocks, stored.values),
  };
}

/** Opens a modal. Closes all open modals of the person first, as Slack's client does on views.open. */
export function openModal(site: Site, person: string, view: Json): StoredView {
  const opened = createView(site, person, view);
  setStack(site, person, [opened]);
  return opened;
}

/** Opens a modal above the top one. Throws `push_limit_reached`. */
export function pushModal(site: Site, person: string, view: Json): StoredView {
  const stack = getModalStack(site, person);
  if (stack.length >= SLACK_LIMITS.openViews.value) throw new Refusal('push_limit_reached');
  const pushed = createView(site, person, view, stack.at(-1));
  setStack(site, person, [...stack, pushed]);
  return pushed;
}

function replaceView(site: Site, changed: StoredView): void {
  const stack = getModalStack(site, changed.person);
  setStack(
    site,
    changed.person,
    stack.map((entry) => (entry.id === changed.id ? changed : entry)),
  );
}

export function updateModal(site: Site, stored: StoredView, view: Json): StoredView {
  const changed = replaceContent(site, stored, view);
  replaceView(site, changed);
  return changed;
}

export function showErrors(site: Site, stored: StoredView, errors: Record<string, string>): void {
  replaceView(site, { ...stored, errors });
}

/**
 * Stores the values of the inputs in a modal, and removes the errors of changed blocks. The page isn't notified,
 * because it sent the values.
 */
export function storeValues(site: Site, stored: StoredView, changes: ViewValues): StoredView {
  const values = computeValues(getRecords(stored.view, 'blocks'), { ...stored.values, ...changes });
  const errors = Object.entries(stored.errors).filter(([blockId]) =>
    isDeepStrictEqual(values[blockId], stored.values[blockId]),
  );
  const changed = { ...stored, values, errors: Object.fromEntries(errors) };
  site.state.modals[stored.person] = getModalStack(site, stored.person).map((entry) =>
    entry.id === stored.id ? changed : entry,
  );
  site.touch();
  return changed;
}

/** Closes a modal and those above it. */
export function closeModal(site: Site, stored: StoredView): void {
  const stack = getModalStack(site, stored.person);
  const index = stack.findIndex((entry) => entry.id === stored.id);
  if (index >= 0) setStack(site, stored.person, stack.slice(0, index));
}

export function clearModals(site: Site, person: string): void {
  setStack(site, person, []);
}

/** Finds an open modal of the app by its id, or by its external_id if there is no id. */
export function findModal(
  site: Site,
  key: { viewId?: string | undefined; externalId?: string | undefined },
): StoredView | undefined {
  return Object.values(site.state.modals)
    .flat()
    .filter((stored) => isOwnView(site, stored))
    .find((stored) =>
      key.viewId === undefined ? stored.view.external_id === key.externalId : stored.id === key.viewId,
    );
}
