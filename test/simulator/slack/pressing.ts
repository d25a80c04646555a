import { findActor, findChannelOf, findElement, findTopView, findViewById } from './find-actor.ts';
import {
  applyChoice,
  type Choice,
  computeValues,
  getString,
  hasState,
  isRecord,
  type Json,
  type ListedElement,
  listOptions,
} from './read-blocks.ts';
import { buildChannelPart, buildMessageObject, buildViewObject, formatTexts } from './slack-objects.ts';
import { buildInteraction, createRequest, type SlackRequest } from './slack-request.ts';
import type { SlackState } from './slack-state.ts';
import {
  blocksOf,
  currentVersion,
  optionsKey,
  type ResponseTarget,
  type View,
  type Workspace,
} from './workspace.ts';

/** Where a person presses or chooses something. */
export type Target =
  /** `version`: index of an earlier version that is still on the person's screen. Defaults to the current one. */
  | { kind: 'message'; channel: string; ts: string; version?: number }
  | { kind: 'view'; viewId: string }
  | { kind: 'home' };

/** An element and what is chosen in it. Buttons need no choice. */
interface Press {
  blockId: string;
  actionId: string;
  choice?: Choice;
}

function describeChoice({ type: _, ...values }: Json): string {
  return Object.values(values)
    .flat()
    .map((value) => (isRecord(value) ? getString(value, 'value') : String(value)))
    .join(', ');
}

function createAction(
  state: SlackState,
  workspace: Workspace,
  person: string,
  pressed: { listed: ListedElement; state: Json; source: Json; fromView?: string; target?: ResponseTarget },
  place: string,
): SlackRequest {
  const { listed, source, fromView, target } = pressed;
  const { element, blockId, actionId, type, label } = listed;
  const kept = ['text', 'value', 'style', 'confirm', 'placeholder'].filter((key) => key in element);
  const action = {
    ...Object.fromEntries(kept.map((key) => [key, element[key]])),
    ...pressed.state,
    type,
    action_id: actionId,
    block_id: blockId,
    action_ts: state.takeNextTs(workspace),
  };
  const chosen = type === 'button' ? '' : ` → ${describeChoice(pressed.state)}`;
  return createRequest(workspace, person, {
    kind: 'action',
    description: `presses [${label}]${chosen} ${place}`,
    fields: {
      ...buildInteraction(workspace, person, 'block_actions'),
      ...source,
      trigger_id: state.createTrigger(workspace, person, fromView),
      ...(target && { response_url: state.createResponseUrl('actions', target) }),
      actions: [formatTexts(action)],
    },
    onResponse: (response) => {
      if (response?.status !== 200)
        state.showNotice(workspace, person, target?.channel.id ?? '', 'Something went wrong. Try again.');
    },
  });
}

/** The chosen entry of an overflow menu. Undefined if it isn't in the menu. Buttons have none. */
function readPressedState({ type, element }: ListedElement, choice: Choice | undefined): Json | undefined {
  if (type !== 'overflow') return {};
  const option = listOptions(element).find((each) => each.value === choice);
  return option && { selected_option: option };
}

function pressInView(
  state: SlackState,
  workspace: Workspace,
  view: View,
  press: Press,
  isChoiceOnly = false,
): SlackRequest | undefined {
  const listed = findElement(blocksOf(view), press);
  if (!listed) return undefined;
  const { blockId, actionId, type } = listed;
  let chosen: Json = {};
  if (hasState(type)) {
    const loaded = view.loadedOptions.get(optionsKey(blockId, actionId));
    const elementState = applyChoice(listed, press.choice ?? null, loaded);
    if (!elementState) return undefined;
    view.values = { ...view.values, [blockId]: { ...view.values[blockId], [actionId]: elementState } };
    delete view.errors[blockId];
    chosen = elementState;
  } else {
    const pressedState = readPressedState(listed, press.choice);
    if (!pressedState) return undefined;
    chosen = pressedState;
    view.isPressed = true;
  }
  if (isChoiceOnly && !listed.isDispatched) return undefined;
  const source = {
    container: { type: 'view', view_id: view.id },
    view: buildViewObject(workspace, view),
  };
  const place = view.content.type === 'home' ? 'on Home' : `in ${view.id}`;
  return createAction(
    state,
    workspace,
    view.person,
    { listed, state: chosen, source, fromView: view.id },
    place,
  );
}

function pressInMessage(
  state: SlackState,
  workspace: Workspace,
  person: string,
  place: { channel: string; ts: string; version?: number },
  press: Press,
): SlackRequest | undefined {
  const message = state.findMessage(workspace, place.channel, place.ts);
  const channel = findChannelOf(state, workspace, person, place.channel);
  const isReadable = message && (message.ephemeralTo ?? person) === person;
  if (!isReadable || !message.isByApp || !channel) return undefined;
  const version = message.versions.at(place.version ?? -1) ?? currentVersion(message);
  const listed = findElement(version.blocks, press);
  if (!listed) return undefined;
  const chosen = hasState(listed.type)
    ? applyChoice(listed, press.choice ?? null)
    : readPressedState(listed, press.choice);
  if (!chosen) return undefined;
  const isEphemeral = message.ephemeralTo !== undefined;
  const values = computeValues(version.blocks, {});
  if ('type' in chosen && typeof chosen.type === 'string')
    values[listed.blockId] = {
      ...values[listed.blockId],
      [listed.actionId]: { ...chosen, type: chosen.type },
    };
  const source = {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: buildChannelPart(channel),
    // Slack leaves out ephemeral messages.
    ...(!isEphemeral && { message: buildMessageObject(workspace, message) }),
    state: { values: formatTexts(values) },
  };
  const target = { workspace, channel, person, ts: message.ts };
  return createAction(
    state,
    workspace,
    person,
    { listed, state: chosen, source, target },
    `on ${message.ts}`,
  );
}

/** What people press, type and choose. */
export function createPressing(state: SlackState) {
  return {
    /** Presses a button, or chooses something in a menu. Undefined if Slack doesn't send it, e.g. in a closed view. */
    press(workspaceId: string, person: string, target: Target, press: Press): SlackRequest | undefined {
      const workspace = findActor(state, workspaceId, person);
      if (!workspace) return undefined;
      if (target.kind === 'message') return pressInMessage(state, workspace, person, target, press);
      const view =
        target.kind === 'home'
          ? workspace.homes.get(person)
          : findTopView(state, workspace, person, target.viewId);
      return view && pressInView(state, workspace, view, press);
    },

    /** Types or chooses a value in an open view. Returns a request if the app gets it at once. */
    fill(viewId: string, blockId: string, actionId: string, choice: Choice): SlackRequest | undefined {
      const found = findViewById(state, viewId);
      return found && pressInView(state, found.workspace, found.view, { blockId, actionId, choice }, true);
    },
  };
}
