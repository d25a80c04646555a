import { acceptView } from '../interactions/accept.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { findHome, findHomeByExternalId, findHomeById, publishHome } from '../state/home-tabs.ts';
import { findModal, getModalStack, openModal, pushModal, updateModal } from '../state/modals.ts';
import { findSitesOfHolder, getHolder, isOrgWide } from '../state/organisations.ts';
import type { StoredView } from '../state/saved-state.ts';
import { viewObject } from '../state/view-object.ts';
import { type Call, type Method, neededArg, nestedArg, textArg } from './call.ts';

const NOT_ONTO_HOME =
  "[ERROR] must match the `type` of the root view whose stack we're pushing onto [json-pointer:/view/type]";

function viewArg(call: Call, type: 'modal' | 'home'): Json {
  return acceptView(call.site, nestedArg(call, 'view', 'invalid_arguments'), type);
}

/** An external_id names one view of the team. */
function demandFreeExternalId(site: Site, view: Json, self?: StoredView): void {
  const externalId = view.external_id;
  if (typeof externalId !== 'string' || externalId === '') return;
  const holder = findModal(site, { externalId }) ?? findHomeByExternalId(site, externalId);
  if (holder && holder.id !== self?.id) throw new Refusal('duplicate_external_id');
}

function demandHash(call: Call, stored: StoredView | undefined): void {
  const hash = textArg(call, 'hash');
  if (hash !== undefined && stored && hash !== stored.hash) throw new Refusal('hash_conflict');
}

/** Functions of a workflow call it an interactivity_pointer (docs.slack.dev, "views.open"). */
function triggerArg(call: Call): string {
  return textArg(call, 'interactivity_pointer') ?? neededArg(call, 'trigger_id');
}

/** A form that is opened with the token of a step belongs to its run. */
function inRun({ grant }: Call, stored: StoredView): StoredView {
  if (grant?.run !== undefined) stored.run = grant.run;
  return stored;
}

export const viewsOpen: Method = (call) => {
  const trigger = triggerArg(call);
  const view = viewArg(call, 'modal');
  demandFreeExternalId(call.site, view);
  const { person } = call.site.triggers.use(trigger);
  return { view: viewObject(call.site, inRun(call, openModal(call.site, person, view))) };
};

export const viewsPush: Method = (call) => {
  const trigger = triggerArg(call);
  const view = viewArg(call, 'modal');
  demandFreeExternalId(call.site, view);
  const { person, fromView } = call.site.triggers.use(trigger);
  if (fromView !== undefined && findHomeById(call.site, fromView)) {
    throw new Refusal('invalid_arguments', { response_metadata: { messages: [NOT_ONTO_HOME] } });
  }
  const open = getModalStack(call.site, person).some((entry) => entry.id === fromView);
  if (!open) throw new Refusal('not_found');
  return { view: viewObject(call.site, inRun(call, pushModal(call.site, person, view))) };
};

export const viewsUpdate: Method = (call) => {
  const viewId = textArg(call, 'view_id');
  const externalId = textArg(call, 'external_id');
  if (viewId === undefined && externalId === undefined) neededArg(call, 'view_id');
  const home = viewId === undefined ? undefined : findHomeById(call.site, viewId);
  const view = viewArg(call, home ? 'home' : 'modal');
  if (home) {
    demandHash(call, home);
    demandFreeExternalId(call.site, view, home);
    return { view: viewObject(call.site, publishHome(call.site, home.person, view)) };
  }
  const stored = findModal(call.site, { viewId, externalId });
  if (!stored) throw new Refusal('not_found');
  demandHash(call, stored);
  demandFreeExternalId(call.site, view, stored);
  return { view: viewObject(call.site, updateModal(call.site, stored, view)) };
};

export const viewsPublish: Method = (call) => {
  const person = neededArg(call, 'user_id');
  const view = viewArg(call, 'home');
  if (!call.site.manifest.hasHomeTab) throw new Refusal('not_enabled');
  if (!findPerson(call.site, person)) throw new Refusal('invalid_arguments');
  demandHash(call, findHome(call.site, person));
  demandFreeExternalId(call.site, view, findHome(call.site, person));
  // Where an organisation has the app, a person has one Home in all its workspaces.
  for (const site of isOrgWide(call.site)
    ? findSitesOfHolder(getHolder(call.site), call.site.slack.sites)
    : []) {
    if (site !== call.site && findPerson(site, person)) publishHome(site, person, view);
  }
  return { view: viewObject(call.site, publishHome(call.site, person, view)) };
};
