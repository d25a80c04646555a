import { valuesOf } from '../blocks/element-state.ts';
import { type Json, recordsIn } from '../json.ts';
import type { ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { changedView, newView } from './modals.ts';
import type { StoredView } from './saved-state.ts';

export function homeOf(site: Site, person: string): StoredView | undefined {
  return site.state.homes[person];
}

export function findHome(site: Site, viewId: string): StoredView | undefined {
  return Object.values(site.state.homes).find((home) => home.id === viewId);
}

export function findHomeNamed(site: Site, externalId: string): StoredView | undefined {
  return Object.values(site.state.homes).find(({ view }) => view.external_id === externalId);
}

/** The app's Home tab for a person: made the first time, changed afterwards. */
export function publishHome(site: Site, person: string, view: Json): StoredView {
  const before = homeOf(site, person);
  const home = before ? changedView(site, before, view) : newView(site, person, view);
  site.state.homes[person] = home;
  site.touch();
  const appPart = site.apps[0] === site ? {} : { app: site.state.app.botUserId };
  site.audience.tell([person], { type: 'home', ...appPart, view: home.view, hash: home.hash });
  return home;
}

export function keepHomeValues(site: Site, home: StoredView, given: ViewValues): StoredView {
  const changed = { ...home, values: valuesOf(recordsIn(home.view, 'blocks'), { ...home.values, ...given }) };
  site.state.homes[home.person] = changed;
  site.touch();
  return changed;
}
