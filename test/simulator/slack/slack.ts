import { findOptionsProblems, isInputBlock } from './check-blocks.ts';
import {
  applyChoice,
  type Choice,
  computeValues,
  findClientError,
  getString,
  hasState,
  isRecord,
  type Json,
  type ListedElement,
  listElements,
  listOptions,
  readValue,
} from './read-blocks.ts';
import {
  APP_ID,
  blocksOf,
  buildMessageObject,
  buildTextBlocks,
  buildViewObject,
  type Channel,
  createSlackState,
  currentVersion,
  formatTexts,
  type Message,
  type Person,
  Refusal,
  type ResponseTarget,
  renderView,
  type SlackOptions,
  type SlackRequest,
  type UserGroup,
  type Version,
  type View,
  type Workspace,
} from './slack-state.ts';
import {
  acceptView,
  answerCall,
  createUninstallEvents,
  respond,
  type SlackCall,
  type SlackReply,
} from './web-api.ts';

export type { Choice, Json, ListedElement } from './read-blocks.ts';
export { listElements, renderText } from './read-blocks.ts';
export type { SlackRequest } from './slack-state.ts';
export type { SlackReply } from './web-api.ts';

interface NewWorkspace {
  id: string;
  name: string;
  people: readonly Person[];
  channels: readonly {
    id: string;
    name: string;
    isPrivate?: boolean;
    members: readonly string[];
    botIsMember: boolean;
  }[];
  usergroups?: readonly UserGroup[];
}

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

interface VisibleMessage {
  channel: string;
  ts: string;
  threadTs: string | undefined;
  author: string;
  isByApp: boolean;
  isEphemeral: boolean;
  /** Oldest first. The last one is current. */
  versions: readonly Version[];
}

interface VisibleView {
  id: string;
  title: string;
  callbackId: string;
  /** The number of open views, this one included. */
  depth: number;
  text: string;
  blocks: readonly Json[];
  /** The values of the inputs, as in `state.values`. */
  values: View['values'];
  errors: Readonly<Record<string, string>>;
  isSubmittable: boolean;
  isSubmitting: boolean;
}

/** What a person sees of the app. */
interface VisibleSlack {
  messages: VisibleMessage[];
  /** The top view. */
  view: VisibleView | undefined;
  /** The views below it, which come back when it closes. */
  covered: VisibleView[];
  home: VisibleView | undefined;
}

type Response = Parameters<SlackRequest['onResponse']>[0];

const FORM = 'application/x-www-form-urlencoded';
/** Slack shows this in a form if the app didn't acknowledge its submission, or returned an invalid response. */
const CONNECTION_ERROR = 'We had some trouble connecting. Try again?';
/** The characters that a person types before Slack asks for options. */
const MIN_QUERY_LENGTH = 3;

/** Escapes what a person types, except for mentions such as `<@U1>`. */
function escapeTyped(text: string): string {
  return text
    .split(/(<[@#!][^<>]+>)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    )
    .join('');
}

/** Slack hides the names of private conversations. */
function buildChannelPart({ id, name, kind }: Channel): { id: string; name: string } {
  return { id, name: { public: name, private: 'privategroup', im: 'directmessage' }[kind] };
}

const optionsKey = (blockId: string, actionId: string) => `${blockId} ${actionId}`;

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Creates a simulated Slack: a synchronous model of workspaces, people and one app, without timers and sockets. Requests
 * to the app are returned, and the simulation delivers them. `handle` answers the requests of the app.
 */
export function createSlack(options: SlackOptions) {
  const state = createSlackState(options);
  const { now } = options;

  /** Finds an active person of a workspace in which the app is installed. Otherwise nothing can be sent to the app. */
  function findActor(workspaceId: string, person: string): Workspace | undefined {
    const workspace = state.requireWorkspace(workspaceId);
    return workspace.isInstalled && state.isActive(workspace, person) ? workspace : undefined;
  }

  /** Finds a channel with this person. A person's direct message with the bot opens by itself. */
  function findChannelOf(workspace: Workspace, person: string, id: string): Channel | undefined {
    const direct = `D${person.slice(1)}`;
    const channel = id === direct ? state.openDirectMessage(workspace, person) : workspace.channels.get(id);
    return channel?.members.includes(person) ? channel : undefined;
  }

  function findTopView(workspace: Workspace, person: string, viewId: string): View | undefined {
    const top = state.getStack(workspace, person).at(-1);
    return top?.id === viewId && !top.isSubmitting ? top : undefined;
  }

  /** Finds an open view of anybody that is on top. */
  function findViewById(viewId: string): { workspace: Workspace; view: View } | undefined {
    for (const workspace of state.workspaces.values())
      for (const person of workspace.stacks.keys()) {
        const view = findTopView(workspace, person, viewId);
        if (view && findActor(workspace.id, person)) return { workspace, view };
      }
    return undefined;
  }

  const findElement = (blocks: readonly Json[], { blockId, actionId }: Press) =>
    listElements(blocks).find((listed) => listed.blockId === blockId && listed.actionId === actionId);

  /** Shows a notice of Slack's own that only this person sees, such as that a command failed. */
  function showNotice(workspace: Workspace, person: string, channel: string, text: string): void {
    const shown = { workspace: workspace.id, channel, reader: person, id: '', isNew: true, text };
    options.onShown({ ...shown, surface: 'ephemeral' });
  }

  function buildInteraction(workspace: Workspace, person: string, type: string): Json {
    const name = workspace.people.get(person)?.name ?? person;
    const isShortcut = type === 'shortcut' || type === 'message_action';
    return {
      type,
      user: { id: person, username: name, ...(type !== 'shortcut' && { name }), team_id: workspace.id },
      ...(!isShortcut && { api_app_id: APP_ID }),
      token: 'simulated',
      team: { id: workspace.id, domain: workspace.domain },
      enterprise: null,
      is_enterprise_install: false,
    };
  }

  function createRequest(
    workspace: Workspace,
    person: string,
    request: Pick<SlackRequest, 'kind' | 'description'> & {
      fields: Json;
      onResponse?(response: Response): void;
    },
  ): SlackRequest {
    const { kind, description, fields, onResponse = () => undefined } = request;
    const body =
      kind === 'command'
        ? new URLSearchParams(
            Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
          )
        : new URLSearchParams({ payload: JSON.stringify(fields) });
    return {
      kind,
      workspace: workspace.id,
      person,
      description,
      contentType: FORM,
      body: body.toString(),
      onResponse,
    };
  }

  function createAction(
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
      action_ts: (now() / 1000).toFixed(6),
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
          showNotice(workspace, person, target?.channel.id ?? '', 'Something went wrong. Try again.');
      },
    });
  }

  function describeChoice({ type: _, ...values }: Json): string {
    return Object.values(values)
      .flat()
      .map((value) => (isRecord(value) ? getString(value, 'value') : String(value)))
      .join(', ');
  }

  function pressInView(
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
    }
    if (isChoiceOnly && !listed.isDispatched) return undefined;
    const source = {
      container: { type: 'view', view_id: view.id },
      view: buildViewObject(workspace, view),
    };
    const place = view.content.type === 'home' ? 'on Home' : `in ${view.id}`;
    return createAction(workspace, view.person, { listed, state: chosen, source, fromView: view.id }, place);
  }

  /** The chosen entry of an overflow menu. Undefined if it isn't in the menu. Buttons have none. */
  function readPressedState({ type, element }: ListedElement, choice: Choice | undefined): Json | undefined {
    if (type !== 'overflow') return {};
    const option = listOptions(element).find((each) => each.value === choice);
    return option && { selected_option: option };
  }

  function pressInMessage(
    workspace: Workspace,
    person: string,
    place: { channel: string; ts: string; version?: number },
    press: Press,
  ): SlackRequest | undefined {
    const message = state.findMessage(workspace, place.channel, place.ts);
    const channel = findChannelOf(workspace, person, place.channel);
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
    return createAction(workspace, person, { listed, state: chosen, source, target }, `on ${message.ts}`);
  }

  /** Reads the errors of an acknowledgement. Slack accepts them only under inputs. */
  function readErrors(view: View, given: unknown): Record<string, string> {
    const errors = Object.entries(isRecord(given) ? given : {});
    const areValid = errors.every(
      ([blockId, text]) => isInputBlock(blocksOf(view), blockId) && typeof text === 'string',
    );
    if (errors.length === 0 || !areValid) throw new Refusal('invalid_response');
    return Object.fromEntries(errors.map(([blockId, text]) => [blockId, String(text)]));
  }

  function applyResponseAction(workspace: Workspace, view: View, response: Response): void {
    if (response?.status !== 200) throw new Refusal('no_response');
    const answer = response.body === '' ? {} : parseBody(response.body);
    if (!isRecord(answer)) throw new Refusal('invalid_response');
    const isOpen = state.getStack(workspace, view.person).includes(view);
    switch (answer.response_action) {
      case undefined:
        state.closeView(workspace, view);
        break;
      case 'clear':
        state.clearViews(workspace, view.person);
        break;
      case 'errors':
        state.showErrors(workspace, view, readErrors(view, answer.errors));
        break;
      case 'update': {
        const content = acceptView(workspace, answer.view, 'modal');
        if (isOpen) state.updateView(workspace, view, content);
        break;
      }
      case 'push': {
        const content = acceptView(workspace, answer.view, 'modal');
        if (isOpen) state.pushView(workspace, view.person, content);
        break;
      }
      default:
        throw new Refusal('invalid_response');
    }
  }

  /** Applies the acknowledgement of a submission. An empty one closes the view. */
  function applyViewResponse(workspace: Workspace, view: View, response: Response): void {
    view.isSubmitting = false;
    try {
      applyResponseAction(workspace, view, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      state.showErrors(workspace, view, { '': CONNECTION_ERROR });
    }
  }

  function describeView(workspace: Workspace, view: View): VisibleView {
    const { content, values, errors, isSubmitting } = view;
    const title = isRecord(content.title) ? getString(content.title, 'text') : '';
    return {
      id: view.id,
      title,
      callbackId: getString(content, 'callback_id'),
      depth: state.getStack(workspace, view.person).length,
      text: renderView(view, values),
      blocks: blocksOf(view),
      values,
      errors,
      isSubmittable: isRecord(content.submit),
      isSubmitting,
    };
  }

  /** Builds the event of a change in a workspace. No events if the app isn't installed. */
  function createEvents(
    workspace: Workspace,
    person: string,
    description: string,
    event: Json & { type: string },
  ): SlackRequest[] {
    return workspace.isInstalled ? [state.createEvent(workspace, event, { person, description })] : [];
  }

  const requireChannel = (workspace: Workspace, id: string): Channel => {
    const channel = workspace.channels.get(id);
    if (!channel) throw new Error(`there is no channel ${id}`);
    return channel;
  };
  const eventPrefix = ({ kind }: Channel) => (kind === 'private' ? 'group' : 'channel');

  return {
    /** Methods of the Web API that the app called and that aren't simulated. */
    unknownMethods: state.unknownMethods,

    addWorkspace({ id, name, people, channels, usergroups = [] }: NewWorkspace): {
      botUser: string;
      botId: string;
    } {
      const workspace: Workspace = {
        id,
        name,
        domain: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
        botUser: state.createId('U'),
        botId: state.createId('B'),
        isInstalled: false,
        people: new Map(people.map((person) => [person.id, { ...person, isActive: true }])),
        channels: new Map(
          channels.map(({ isPrivate = false, ...channel }) => [
            channel.id,
            {
              ...channel,
              kind: isPrivate ? 'private' : 'public',
              members: [...channel.members],
              isArchived: false,
            },
          ]),
        ),
        usergroups: new Map(usergroups.map((group) => [group.id, { ...group, users: [...group.users] }])),
        messages: [],
        stacks: new Map(),
        homes: new Map(),
        files: new Map(),
        lastMicro: 0,
      };
      state.workspaces.set(id, workspace);
      return { botUser: workspace.botUser, botId: workspace.botId };
    },

    /** Installs the app without OAuth, and returns the answer of oauth.v2.access. */
    install(workspace: string, installer: string, scopes: readonly string[]): Json {
      return state.install(state.requireWorkspace(workspace), installer, scopes);
    },

    /** Issues the code of an OAuth redirect, which oauth.v2.access exchanges once. */
    issueCode(workspace: string, installer: string, scopes: readonly string[]): string {
      const code = state.createId('code-');
      const grant = { workspace: state.requireWorkspace(workspace), installer, scopes };
      state.codes.set(code, { ...grant, madeAt: now(), isUsed: false });
      return code;
    },

    /** Uninstalls the app. Its tokens end with `account_inactive`. */
    uninstall(workspaceId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      state.uninstall(workspace);
      return createUninstallEvents(state, workspace);
    },

    /** Answers a request of the app. */
    handle: (call: SlackCall): SlackReply => answerCall(state, call),

    /** Lists the app's messages with their metadata. */
    listAppMessages(workspaceId: string): Pick<Message, 'channel' | 'ts' | 'metadata' | 'threadTs'>[] {
      return state.requireWorkspace(workspaceId).messages.filter(({ isByApp }) => isByApp);
    },

    /** Takes the events that calls of the Web API caused: the app's own direct messages, and its uninstallation. */
    takeEvents: (): SlackRequest[] => state.events.splice(0),

    /** Deactivates or reactivates a person. A deactivated person has no open views. */
    setActive(workspaceId: string, personId: string, isActive: boolean): void {
      const workspace = state.requireWorkspace(workspaceId);
      const person = workspace.people.get(personId);
      if (!person) throw new Error(`there is no person ${personId}`);
      person.isActive = isActive;
      if (!isActive) state.clearViews(workspace, personId);
    },

    setGroupMembers(workspaceId: string, groupId: string, users: readonly string[]): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const group = workspace.usergroups.get(groupId);
      if (!group) throw new Error(`there is no user group ${groupId}`);
      const added = users.filter((user) => !group.users.includes(user));
      const removed = group.users.filter((user) => !users.includes(user));
      group.users = [...users];
      return createEvents(workspace, '', `the members of @${group.handle} change`, {
        type: 'subteam_members_changed',
        subteam_id: groupId,
        team_id: workspaceId,
        date_previous_update: 0,
        date_update: Math.floor(now() / 1000),
        added_users: added,
        added_users_count: added.length,
        removed_users: removed,
        removed_users_count: removed.length,
      });
    },

    archiveChannel(workspaceId: string, person: string, channelId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const channel = requireChannel(workspace, channelId);
      channel.isArchived = true;
      if (!channel.botIsMember) return [];
      const event = { type: `${eventPrefix(channel)}_archive`, channel: channelId, user: person };
      return createEvents(workspace, person, `archives #${channel.name}`, event);
    },

    unarchiveChannel(workspaceId: string, channelId: string): void {
      requireChannel(state.requireWorkspace(workspaceId), channelId).isArchived = false;
    },

    removeBot(workspaceId: string, person: string, channelId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const channel = requireChannel(workspace, channelId);
      if (!channel.botIsMember) return [];
      channel.botIsMember = false;
      const event = { type: `${eventPrefix(channel)}_left`, channel: channelId, actor_id: person };
      return createEvents(workspace, person, `removes the app from #${channel.name}`, event);
    },

    inviteBot(workspaceId: string, person: string, channelId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const channel = requireChannel(workspace, channelId);
      if (channel.botIsMember || channel.isArchived || !workspace.isInstalled) return [];
      channel.botIsMember = true;
      return createEvents(workspace, person, `invites the app to #${channel.name}`, {
        type: 'member_joined_channel',
        user: workspace.botUser,
        channel: channelId,
        channel_type: channel.kind === 'private' ? 'G' : 'C',
        team: workspaceId,
        inviter: person,
      });
    },

    setMembers(workspaceId: string, channelId: string, members: readonly string[]): void {
      requireChannel(state.requireWorkspace(workspaceId), channelId).members = [...members];
    },

    /** The id of a person's direct message with the bot. */
    directMessage: (person: string): string => `D${person.slice(1)}`,

    typeCommand(
      workspaceId: string,
      person: string,
      channelId: string,
      command: string,
      text: string,
    ): SlackRequest | undefined {
      const workspace = findActor(workspaceId, person);
      const channel = workspace && findChannelOf(workspace, person, channelId);
      if (!channel || channel.isArchived) return undefined;
      const target = { workspace, channel, person, ts: undefined };
      const part = buildChannelPart(channel);
      const showFailure = (code: string) =>
        showNotice(workspace, person, channelId, `${command} failed with the error "${code}"`);
      return createRequest(workspace, person, {
        kind: 'command',
        description: `${command} ${text}`.trim(),
        fields: {
          token: 'simulated',
          team_id: workspaceId,
          team_domain: workspace.domain,
          channel_id: part.id,
          channel_name: part.name,
          user_id: person,
          user_name: workspace.people.get(person)?.name,
          command,
          text: escapeTyped(text),
          api_app_id: APP_ID,
          is_enterprise_install: false,
          response_url: state.createResponseUrl('commands', target),
          trigger_id: state.createTrigger(workspace, person),
        },
        onResponse(response) {
          if (!response) return showFailure('operation_timeout');
          if (response.status !== 200) return showFailure('dispatch_failed');
          if (response.body === '') return;
          try {
            respond(state, target, parseBody(response.body));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            showFailure(error.code);
          }
        },
      });
    },

    /** Sends a message, and returns the app's event: for a direct message, or a mention in a channel with the bot. */
    typeMessage(
      workspaceId: string,
      person: string,
      channelId: string,
      text: string,
      threadTs?: string,
    ): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const channel = findChannelOf(workspace, person, channelId);
      if (!channel || channel.isArchived || !state.isActive(workspace, person)) return [];
      const typed = escapeTyped(text);
      const { ts } = state.addMessage(
        workspace,
        { channel: channelId, user: person, threadTs },
        { text: typed, blocks: [] },
      );
      const isMention = typed.includes(`<@${workspace.botUser}>`) && channel.botIsMember;
      if (channel.kind !== 'im' && !isMention) return [];
      const common = {
        user: person,
        ts,
        client_msg_id: state.createId('m'),
        text: typed,
        team: workspaceId,
        ...(threadTs !== undefined && { thread_ts: threadTs }),
        blocks: buildTextBlocks(typed, ts),
        channel: channelId,
        event_ts: ts,
      };
      const event =
        channel.kind === 'im'
          ? { ...common, type: 'message', channel_type: 'im' }
          : { ...common, type: 'app_mention' };
      return createEvents(workspace, person, `writes “${text}” in ${channel.name}`, event);
    },

    /** Presses a button, or chooses something in a menu. Undefined if Slack doesn't send it, e.g. in a closed view. */
    press(workspaceId: string, person: string, target: Target, press: Press): SlackRequest | undefined {
      const workspace = findActor(workspaceId, person);
      if (!workspace) return undefined;
      if (target.kind === 'message') return pressInMessage(workspace, person, target, press);
      const view =
        target.kind === 'home' ? workspace.homes.get(person) : findTopView(workspace, person, target.viewId);
      return view && pressInView(workspace, view, press);
    },

    /** Types or chooses a value in an open view. Returns a request if the app gets it at once. */
    fill(viewId: string, blockId: string, actionId: string, choice: Choice): SlackRequest | undefined {
      const found = findViewById(viewId);
      return found && pressInView(found.workspace, found.view, { blockId, actionId, choice }, true);
    },

    /**
     * Asks for the options of an external menu. They can be chosen after the response. Slack may send stale values of the
     * view, or none (bolt-js #1146, #660).
     */
    loadOptions(
      viewId: string,
      blockId: string,
      actionId: string,
      query: string,
      sentState: 'current' | 'stale' | 'missing' = 'current',
    ): SlackRequest | undefined {
      const found = findViewById(viewId);
      const listed = found && findElement(blocksOf(found.view), { blockId, actionId });
      if (!listed) return undefined;
      const { workspace, view } = found;
      const { min_query_length: minLength = MIN_QUERY_LENGTH } = listed.element;
      if (!/external_select$/.test(listed.type) || query.length < Number(minLength)) return undefined;
      const values = sentState === 'stale' ? computeValues(blocksOf(view), {}) : view.values;
      const { state: viewState, ...rest } = buildViewObject(workspace, view, values);
      return createRequest(workspace, view.person, {
        kind: 'options',
        description: `looks for “${query}” in ${listed.label}`,
        fields: {
          ...buildInteraction(workspace, view.person, 'block_suggestion'),
          container: { type: 'view', view_id: viewId },
          view: sentState === 'missing' ? rest : { ...rest, state: viewState },
          action_id: actionId,
          block_id: blockId,
          value: query,
        },
        onResponse(response) {
          const answer = response?.status === 200 ? parseBody(response.body) : undefined;
          const isValid = isRecord(answer) && findOptionsProblems(answer).length === 0;
          view.loadedOptions.set(optionsKey(blockId, actionId), isValid ? listOptions(answer) : []);
        },
      });
    },

    /** The options that an external menu has loaded. */
    listLoadedOptions(viewId: string, blockId: string, actionId: string): { value: string; label: string }[] {
      const loaded = findViewById(viewId)?.view.loadedOptions.get(optionsKey(blockId, actionId)) ?? [];
      return loaded.map((option) => ({
        value: getString(option, 'value'),
        label: isRecord(option.text) ? getString(option.text, 'text') : '',
      }));
    },

    /** Submits the top view. Undefined if it can't be submitted, also if Slack's client finds an error in it. */
    submit(workspaceId: string, person: string, viewId: string): SlackRequest | undefined {
      const workspace = findActor(workspaceId, person);
      const view = workspace && findTopView(workspace, person, viewId);
      if (!view || !isRecord(view.content.submit)) return undefined;
      const errors = listElements(blocksOf(view)).flatMap((listed) => {
        const elementState = view.values[listed.blockId]?.[listed.actionId];
        const error = listed.isInput ? findClientError(listed, elementState) : undefined;
        return error === undefined ? [] : [[listed.blockId, error] as const];
      });
      view.errors = {};
      if (errors.length > 0) {
        state.showErrors(workspace, view, Object.fromEntries(errors));
        return undefined;
      }
      view.isSubmitting = true;
      const urls = listElements(blocksOf(view)).flatMap(({ element, blockId, actionId }) => {
        const chosen = readValue(view.values[blockId]?.[actionId]);
        const channel = typeof chosen === 'string' ? workspace.channels.get(chosen) : undefined;
        if (element.response_url_enabled !== true || !channel) return [];
        const response_url = state.createResponseUrl('actions', {
          workspace,
          channel,
          person,
          ts: undefined,
        });
        return [{ block_id: blockId, action_id: actionId, channel_id: channel.id, response_url }];
      });
      return createRequest(workspace, person, {
        kind: 'view',
        description: `submits ${viewId} (${describeView(workspace, view).title})`,
        fields: {
          ...buildInteraction(workspace, person, 'view_submission'),
          trigger_id: state.createTrigger(workspace, person, viewId),
          view: buildViewObject(workspace, view),
          response_urls: urls,
        },
        onResponse: (response) => applyViewResponse(workspace, view, response),
      });
    },

    /**
     * Closes the top view, or all of them. The app is notified of views with `notify_on_close`, without their values
     * (bolt-python, tests/scenario_tests/test_view_closed.py).
     */
    close(
      workspaceId: string,
      person: string,
      viewId: string,
      { all = false }: { all?: boolean } = {},
    ): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const stack = state.getStack(workspace, person);
      const view = stack.at(-1);
      if (!view || view.id !== viewId) return [];
      const isCleared = all || view.content.clear_on_close === true;
      const closed = isCleared ? stack : [view];
      if (isCleared) state.clearViews(workspace, person);
      else state.closeView(workspace, view);
      if (!findActor(workspaceId, person)) return [];
      return closed
        .filter(({ content }) => content.notify_on_close === true)
        .map((each) =>
          createRequest(workspace, person, {
            kind: 'closed',
            description: `closes ${each.id} (${describeView(workspace, each).title})`,
            fields: {
              ...buildInteraction(workspace, person, 'view_closed'),
              view: buildViewObject(workspace, each, {}),
              is_cleared: isCleared,
              response_urls: [],
            },
          }),
        );
    },

    /** Runs a global shortcut, or a message shortcut on a message. */
    shortcut(
      workspaceId: string,
      person: string,
      callbackId: string,
      message?: { channel: string; ts: string },
    ): SlackRequest | undefined {
      const workspace = findActor(workspaceId, person);
      if (!workspace) return undefined;
      const channel = message && findChannelOf(workspace, person, message.channel);
      const found = channel && state.findMessage(workspace, channel.id, message.ts);
      if (message && (!found || (found.ephemeralTo ?? person) !== person)) return undefined;
      const about = found && {
        channel: buildChannelPart(channel),
        message_ts: found.ts,
        message: buildMessageObject(workspace, found),
        response_url: state.createResponseUrl('actions', { workspace, channel, person, ts: undefined }),
      };
      return createRequest(workspace, person, {
        kind: 'shortcut',
        description: `runs ${callbackId}${message ? ` on ${message.ts}` : ''}`,
        fields: {
          ...buildInteraction(workspace, person, about ? 'message_action' : 'shortcut'),
          action_ts: (now() / 1000).toFixed(6),
          callback_id: callbackId,
          trigger_id: state.createTrigger(workspace, person),
          ...about,
        },
        onResponse: (response) => {
          if (response?.status !== 200) showNotice(workspace, person, '', `${callbackId} failed`);
        },
      });
    },

    /** Opens the app's Home tab. */
    openHome(workspaceId: string, person: string): SlackRequest[] {
      const workspace = findActor(workspaceId, person);
      if (!workspace) return [];
      const home = workspace.homes.get(person);
      return createEvents(workspace, person, 'opens Home', {
        type: 'app_home_opened',
        user: person,
        channel: state.openDirectMessage(workspace, person).id,
        tab: 'home',
        ...(home && { view: buildViewObject(workspace, home) }),
      });
    },

    /** What a person sees. Nothing for a deactivated person. */
    listVisible(workspaceId: string, person: string): VisibleSlack {
      const workspace = state.requireWorkspace(workspaceId);
      if (!state.isActive(workspace, person))
        return { messages: [], view: undefined, covered: [], home: undefined };
      const isVisible = ({ channel, ephemeralTo }: Message) =>
        (ephemeralTo ?? person) === person &&
        workspace.channels.get(channel)?.members.includes(person) === true;
      const stack = state.getStack(workspace, person);
      const top = stack.at(-1);
      const home = workspace.homes.get(person);
      return {
        messages: workspace.messages.filter(isVisible).map((message) => ({
          channel: message.channel,
          ts: message.ts,
          threadTs: message.threadTs,
          author: message.user,
          isByApp: message.isByApp,
          isEphemeral: message.ephemeralTo !== undefined,
          versions: message.versions,
        })),
        view: top && describeView(workspace, top),
        covered: stack.slice(0, -1).map((view) => describeView(workspace, view)),
        home: home && describeView(workspace, home),
      };
    },
  };
}
