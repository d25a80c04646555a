import { computeValues } from '../blocks/element-values.ts';
import { getRecords, type Json } from '../json.ts';
import type { ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { createView, replaceContent } from './modals.ts';
import type { StoredView } from './saved-state.ts';

export function findHome(site: Site, person: string): StoredView | undefined {
  return site.state.homes[person];
}

export function findHomeById(site: Site, viewId: string): StoredView | undefined {
  return Object.values(site.state.homes).find((home) => home.id === viewId);
}

export function findHomeByExternalId(site: Site, externalId: string): StoredView | undefined {
  return Object.values(site.state.homes).find(({ view }) => view.external_id === externalId);
}

/**
 * Stores the app's Home tab for a person, and shows it on the page. The view keeps its id when it is published again.
 */
export function publishHome(site: Site, person: string, view: Json): StoredView {
  const published = findHome(site, person);
  const home = published ? replaceContent(site, published, view) : createView(site, person, view);
  site.state.homes[person] = home;
  site.touch();
  const appPart = site.apps[0] === site ? {} : { app: site.state.app.botUserId };
  site.audience.sendTo([person], { type: 'home', ...appPart, view: home.view, hash: home.hash });
  return home;
}

/** Stores the values of the inputs in a Home tab. The page isn't notified, because it sent them. */
export function storeHomeValues(site: Site, home: StoredView, values: ViewValues): StoredView {
  const blocks = getRecords(home.view, 'blocks');
  const changed = { ...home, values: computeValues(blocks, { ...home.values, ...values }) };
  site.state.homes[home.person] = changed;
  site.touch();
  return changed;
}
