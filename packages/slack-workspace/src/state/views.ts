import { isDeepStrictEqual } from 'node:util';
import { addIds } from '../blocks/add-ids.ts';
import { computeValues } from '../blocks/element-values.ts';
import { addDefaults, escapeText } from '../blocks/returned-text.ts';
import { getRecord, getRecords, getText, isRecord, type Json } from '../json.ts';
import type { ElementState, OpenView, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { isOwnView } from './apps.ts';
import { buildFileObject, findFile } from './files.ts';
import { makeId, makeViewHash } from './ids.ts';
import type { StoredView } from './saved-state.ts';

/** The open modals of a person, bottom first. */
export function getModalStack(site: Site, person: string): readonly StoredView[] {
  return site.state.modals[person] ?? [];
}

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

/** The content of a view, with a new hash. It keeps the values of blocks whose ids stay the same. */
function buildContent(site: Site, view: Json, values: ViewValues) {
  const blocks = addIds(getRecords(view, 'blocks'));
  return {
    hash: makeViewHash(site.now()),
    view: { ...view, blocks },
    errors: {},
    values: computeValues(blocks, values),
  };
}

/** Creates a view with generated ids and initial values. `below` is the view under it. */
function createView(site: Site, person: string, view: Json, below?: StoredView): StoredView {
  const id = makeId('V');
  return {
    id,
    person,
    app: site.state.app.id,
    rootId: below?.rootId ?? id,
    previousId: below?.id ?? null,
    ...(below?.run === undefined ? {} : { run: below.run }),
    ...buildContent(site, view, {}),
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
  const replaced = stack.map((entry) => (entry.id === changed.id ? changed : entry));
  setStack(site, changed.person, replaced);
}

export function updateModal(site: Site, stored: StoredView, view: Json): StoredView {
  const changed = { ...stored, ...buildContent(site, view, stored.values) };
  replaceView(site, changed);
  return changed;
}

export function showErrors(site: Site, stored: StoredView, errors: Record<string, string>): void {
  replaceView(site, { ...stored, errors });
}

/**
 * Stores the values of the inputs in a modal or Home tab, and removes the errors of changed blocks. The page isn't
 * notified, because it sent the values.
 */
export function storeValues(site: Site, stored: StoredView, changes: ViewValues): StoredView {
  const { id, person } = stored;
  const values = computeValues(getRecords(stored.view, 'blocks'), { ...stored.values, ...changes });
  const errors = Object.entries(stored.errors).filter(([blockId]) =>
    isDeepStrictEqual(values[blockId], stored.values[blockId]),
  );
  const changed = { ...stored, values, errors: Object.fromEntries(errors) };
  const stack = getModalStack(site, person);
  if (findHome(site, person)?.id === id) site.state.homes[person] = changed;
  else site.state.modals[person] = stack.map((entry) => (entry.id === id ? changed : entry));
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

/** The id of a view or, without one, its external_id. */
interface ViewKey {
  viewId?: string | undefined;
  externalId?: string | undefined;
}

const hasKey = ({ id, view }: StoredView, { viewId, externalId }: ViewKey): boolean =>
  viewId === undefined ? view.external_id === externalId : id === viewId;

/** Finds an open modal of the app. */
export function findModal(site: Site, key: ViewKey): StoredView | undefined {
  const modals = Object.values(site.state.modals).flat();
  return modals.find((stored) => isOwnView(site, stored) && hasKey(stored, key));
}

export const findHome = (site: Site, person: string): StoredView | undefined => site.state.homes[person];

export function findHomeBy(site: Site, key: ViewKey): StoredView | undefined {
  return Object.values(site.state.homes).find((home) => hasKey(home, key));
}

/** Stores the app's Home tab for a person, and shows it. It keeps its id when it is published again. */
export function publishHome(site: Site, person: string, view: Json): StoredView {
  const published = findHome(site, person);
  const home = published
    ? { ...published, ...buildContent(site, view, published.values) }
    : createView(site, person, view);
  site.state.homes[person] = home;
  site.touch();
  const { botUserId } = site.state.app;
  site.audience.sendTo([person], {
    type: 'home',
    app: botUserId,
    home: { view: home.view, hash: home.hash },
  });
  return home;
}

/** Slack returns the label of an option with `&`, `<` and `>` escaped (bolt-python #513). */
function formatOption(option: unknown): unknown {
  const label = isRecord(option) ? getText(option, 'text') : undefined;
  if (!isRecord(option) || label === undefined) return option;
  const text = { emoji: true, ...getRecord(option, 'text'), text: escapeText(label) };
  return { ...option, text };
}

/** The state of an element in the shape that apps get. The page's own state has only the ids of files. */
export function formatElementState(site: Site, state: ElementState): ElementState {
  const { selected_option: option, selected_options: options } = state;
  if (option !== undefined) return { ...state, selected_option: formatOption(option) };
  if (Array.isArray(options)) return { ...state, selected_options: options.map(formatOption) };
  if (state.type !== 'file_input') return state;
  const files = getRecords(state, 'files').flatMap((entry) => findFile(site, String(entry.id)) ?? []);
  return { ...state, files: files.map((file) => buildFileObject(site, file)) };
}

export function formatState(site: Site, values: ViewValues): Json {
  const forApp = Object.fromEntries(
    Object.entries(values).map(([blockId, states]) => [
      blockId,
      Object.fromEntries(
        Object.entries(states).map(([actionId, state]) => [actionId, formatElementState(site, state)]),
      ),
    ]),
  );
  return { values: forApp };
}

/** Slack has this title in Home tabs, too. */
const DEFAULT_TITLE = { type: 'plain_text', text: 'View Title', emoji: true };
const VIEW_DEFAULTS = {
  ...{ private_metadata: '', callback_id: '', external_id: '', title: DEFAULT_TITLE },
  ...{ clear_on_close: false, notify_on_close: false, close: null, submit: null },
};

/** A view in Slack's own shape, for interactions and the responses of views.*. */
export function buildViewObject(site: Site, stored: StoredView): Json {
  const { team, app } = site.state;
  return {
    ...VIEW_DEFAULTS,
    ...addDefaults(stored.view),
    id: stored.id,
    team_id: team.id,
    state: formatState(site, stored.values),
    hash: stored.hash,
    previous_view_id: stored.previousId,
    root_view_id: stored.rootId,
    app_id: app.id,
    app_installed_team_id: site.state.app.organisation ?? site.state.team.id,
    bot_id: app.botId,
  };
}
