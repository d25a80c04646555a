import { computeValues } from '../blocks/element-values.ts';
import { type Json, recordsIn } from '../json.ts';
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

/** The app's Home tab for a person: made the first time, changed afterwards. */
export function publishHome(site: Site, person: string, view: Json): StoredView {
  const before = findHome(site, person);
  const home = before ? replaceContent(site, before, view) : createView(site, person, view);
  site.state.homes[person] = home;
  site.touch();
  const appPart = site.apps[0] === site ? {} : { app: site.state.app.botUserId };
  site.audience.sendTo([person], { type: 'home', ...appPart, view: home.view, hash: home.hash });
  return home;
}

export function storeHomeValues(site: Site, home: StoredView, given: ViewValues): StoredView {
  const changed = {
    ...home,
    values: computeValues(recordsIn(home.view, 'blocks'), { ...home.values, ...given }),
  };
  site.state.homes[home.person] = changed;
  site.touch();
  return changed;
}
