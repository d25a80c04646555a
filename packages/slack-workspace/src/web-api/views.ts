import { acceptView } from '../interactions/accept-content.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { createArgumentsRefusal } from '../rules/find-problems.ts';
import type { Site } from '../site.ts';
import { findSitesOfApp, isOrgWide } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import type { StoredView } from '../state/saved-state.ts';
import { useTrigger } from '../state/triggers-and-response-urls.ts';
import {
  buildViewObject,
  findHome,
  findHomeBy,
  findModal,
  getModalStack,
  openModal,
  publishHome,
  pushModal,
  updateModal,
} from '../state/views.ts';
import { bot, type Call, type Methods } from './call.ts';

/** Slack's message for views.push with the trigger of a Home tab. */
const PUSH_ONTO_HOME = "must match the `type` of the root view whose stack we're pushing onto";

function readView(call: Call, type: 'modal' | 'home'): Json {
  return acceptView(call.site, call.readJson('view', 'invalid_arguments'), type);
}

/** An external_id is unique in a workspace. `current` is the view that an update replaces. */
function requireFreeExternalId(site: Site, view: Json, current?: StoredView): void {
  const externalId = view.external_id;
  if (typeof externalId !== 'string' || externalId === '') return;
  const existing = findModal(site, { externalId }) ?? findHomeBy(site, { externalId });
  if (existing && existing.id !== current?.id) throw new Refusal('duplicate_external_id');
}

function requireHash(call: Call, stored: StoredView | undefined): void {
  const hash = call.readText('hash');
  if (hash !== undefined && stored && hash !== stored.hash) throw new Refusal('hash_conflict');
}

/** In functions of a workflow, the trigger is an interactivity_pointer (docs.slack.dev/reference/methods/views.open). */
function readTrigger(call: Call): string {
  return call.readText('interactivity_pointer') ?? call.readRequired('trigger_id');
}

/** Assigns a modal that is opened with a step's token to the run of this step. */
function assignToRun({ grant }: Call, stored: StoredView): StoredView {
  if (grant?.run !== undefined) stored.run = grant.run;
  return stored;
}

export const VIEW_METHODS: Methods = {
  'views.open': bot(4, [], (call) => {
    const trigger = readTrigger(call);
    const view = readView(call, 'modal');
    requireFreeExternalId(call.site, view);
    const { person } = useTrigger(call.site, trigger);
    return { view: buildViewObject(call.site, assignToRun(call, openModal(call.site, person, view))) };
  }),
  'views.push': bot(4, [], (call) => {
    const trigger = readTrigger(call);
    const view = readView(call, 'modal');
    requireFreeExternalId(call.site, view);
    const { person, fromView } = useTrigger(call.site, trigger);
    if (fromView !== undefined && findHomeBy(call.site, { viewId: fromView }))
      throw createArgumentsRefusal([{ message: PUSH_ONTO_HOME, pointer: '/view/type' }]);
    const isOpen = getModalStack(call.site, person).some((entry) => entry.id === fromView);
    if (!isOpen) throw new Refusal('not_found');
    return { view: buildViewObject(call.site, assignToRun(call, pushModal(call.site, person, view))) };
  }),
  'views.update': bot(4, [], (call) => {
    const viewId = call.readText('view_id');
    const externalId = call.readText('external_id');
    if (viewId === undefined && externalId === undefined) call.readRequired('view_id');
    const home = viewId === undefined ? undefined : findHomeBy(call.site, { viewId });
    const view = readView(call, home ? 'home' : 'modal');
    const stored = home ?? findModal(call.site, { viewId, externalId });
    if (!stored) throw new Refusal('not_found');
    requireHash(call, stored);
    requireFreeExternalId(call.site, view, stored);
    const changed = home ? publishHome(call.site, home.person, view) : updateModal(call.site, stored, view);
    return { view: buildViewObject(call.site, changed) };
  }),
  'views.publish': bot(4, [], (call) => {
    const person = call.readRequired('user_id');
    const view = readView(call, 'home');
    if (!call.site.manifest.hasHomeTab) throw new Refusal('not_enabled');
    if (!findPerson(call.site, person)) throw new Refusal('invalid_arguments');
    requireHash(call, findHome(call.site, person));
    requireFreeExternalId(call.site, view, findHome(call.site, person));
    // If an organisation has the app, a person's Home tab is the same in all its workspaces.
    for (const site of isOrgWide(call.site) ? findSitesOfApp(call.site) : [])
      if (site !== call.site && findPerson(site, person)) publishHome(site, person, view);
    return { view: buildViewObject(call.site, publishHome(call.site, person, view)) };
  }),
};
