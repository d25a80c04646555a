import { acceptView, refuseArguments } from '../accept-content.ts';
import { Refusal } from '../refusal.ts';
import { buildViewObject } from '../slack-objects.ts';
import type { View } from '../workspace.ts';
import { type Call, type Method, type Methods, readJson, readRequired, readText } from './call.ts';

const readView = (call: Call, type: 'modal' | 'home') =>
  acceptView(call.workspace, readJson(call, 'view', 'invalid_arguments'), type);

function requireHash(call: Call, view: View | undefined): void {
  const hash = readText(call, 'hash');
  if (hash !== undefined && view && hash !== view.hash) throw new Refusal('hash_conflict');
}

const buildViewAnswer = ({ workspace }: Call, view: View) => ({ view: buildViewObject(workspace, view) });

const openView: Method = (call) => {
  const trigger = readRequired(call, 'trigger_id');
  const content = readView(call, 'modal');
  const { person } = call.state.useTrigger(call.workspace, trigger);
  return buildViewAnswer(call, call.state.openView(call.workspace, person, content));
};

const pushView: Method = (call) => {
  const { state, workspace } = call;
  const trigger = readRequired(call, 'trigger_id');
  const content = readView(call, 'modal');
  const { person, fromView } = state.useTrigger(workspace, trigger);
  if (fromView !== undefined && workspace.homes.get(person)?.id === fromView)
    throw refuseArguments([
      "[ERROR] must match the `type` of the root view whose stack we're pushing onto [json-pointer:/view/type]",
    ]);
  if (!state.getStack(workspace, person).some(({ id }) => id === fromView)) throw new Refusal('not_found');
  return buildViewAnswer(call, state.pushView(workspace, person, content));
};

const updateView: Method = (call) => {
  const { state, workspace } = call;
  const id = readText(call, 'view_id');
  const externalId = readText(call, 'external_id');
  if (externalId === undefined) readRequired(call, 'view_id');
  const views = [...[...workspace.stacks.values()].flat(), ...workspace.homes.values()];
  const view = views.find((each) =>
    id === undefined ? each.content.external_id === externalId : each.id === id,
  );
  const content = readView(call, view?.content.type === 'home' ? 'home' : 'modal');
  if (!view) throw new Refusal('not_found');
  requireHash(call, view);
  return buildViewAnswer(call, state.updateView(view, content));
};

const publishView: Method = (call) => {
  const { state, workspace } = call;
  const person = readRequired(call, 'user_id');
  const content = readView(call, 'home');
  if (!workspace.people.has(person)) throw new Refusal('invalid_arguments');
  requireHash(call, workspace.homes.get(person));
  return buildViewAnswer(call, state.publishHome(workspace, person, content));
};

export const viewMethods: Methods = {
  'views.open': [openView],
  'views.publish': [publishView],
  'views.push': [pushView],
  'views.update': [updateView],
};
