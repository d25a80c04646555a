import type { Shown } from '../history.ts';
import { addIds } from './check-blocks.ts';
import {
  computeValues,
  getRecords,
  type Json,
  listButtons,
  listElements,
  readValue,
  renderText,
} from './read-blocks.ts';
import { Refusal } from './refusal.ts';
import { renderView } from './render-view.ts';
import { APP_ID } from './slack-objects.ts';
import type { SlackRequest } from './slack-request.ts';
import {
  blocksOf,
  type Channel,
  currentVersion,
  type Message,
  type ResponseTarget,
  type Version,
  type View,
  type Workspace,
} from './workspace.ts';

export interface SlackOptions {
  /** Ms since the epoch, in virtual time. */
  now(): number;
  /** Creates a unique id that starts with `prefix`. */
  createId(prefix: string): string;
  /** Called once for each visible change of what people can read in the app. */
  onShown(shown: Shown): void;
  /** The credentials that oauth.v2.access requires. Not checked by default. */
  client?: { id: string; secret: string };
}

interface Token {
  workspace: string;
  scopes: string[];
  /** The error with which Slack refuses the token. Undefined for a valid one. */
  endedBy: 'token_revoked' | 'account_inactive' | undefined;
}

const TRIGGER_MS = 3_000;
const RESPONSE_URL_MS = 30 * 60_000;
const RESPONSE_URL_USES = 5;
const MAX_OPEN_VIEWS = 3;

/** The data of all simulated workspaces, and the changes of it that the app and people share. */
export function createSlackState({ now, createId, onShown, client }: SlackOptions) {
  const workspaces = new Map<string, Workspace>();
  const triggers = new Map<
    string,
    { workspace: Workspace; person: string; fromView: string | undefined; madeAt: number; isUsed: boolean }
  >();
  const responseUrls = new Map<string, { target: ResponseTarget; madeAt: number; uses: number }>();

  function takeNextTs(workspace: Workspace): string {
    const micro = Math.max(Math.floor(now() * 1000), workspace.lastMicro + 1);
    workspace.lastMicro = micro;
    return `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
  }

  const isActive = (workspace: Workspace, person: string) => workspace.people.get(person)?.isActive === true;

  /** Reports what the app writes, unless nobody can read it. People's own messages aren't reported. */
  function reportMessage(workspace: Workspace, message: Message, isNew: boolean): void {
    const channel = workspace.channels.get(message.channel);
    const reader = message.ephemeralTo ?? (channel?.kind === 'im' ? (channel.members[0] ?? '') : '');
    if (!message.isByApp || (reader !== '' && !isActive(workspace, reader))) return;
    const { blocks, text } = currentVersion(message);
    const { occurrence }: { occurrence?: unknown } = message.metadata?.event_payload ?? {};
    onShown({
      workspace: workspace.id,
      channel: message.channel,
      reader,
      surface: message.ephemeralTo === undefined ? 'message' : 'ephemeral',
      id: message.ts,
      isNew,
      text: renderText(blocks, text),
      ...listButtons(blocks),
      ...(typeof occurrence === 'string' && { occurrence }),
    });
  }

  function reportView(
    view: View,
    surface: 'form' | 'errors' | 'home',
    shown: { isNew?: boolean; text: string },
  ): void {
    const buttons = surface === 'errors' ? {} : listButtons(blocksOf(view));
    onShown({
      workspace: view.workspace,
      channel: '',
      reader: view.person,
      surface,
      id: view.id,
      isNew: false,
      ...shown,
      ...buttons,
    });
  }

  /** Reports a view if a person reads something in it that they haven't read in it before. */
  function reportIfChanged(view: View, surface: 'form' | 'home'): void {
    const text = renderView(view, {});
    if (view.shownText === text && !view.isUnread) return;
    const isNew = surface === 'form' && view.shownText === undefined;
    view.shownText = text;
    view.isUnread = false;
    reportView(view, surface, { isNew, text: renderView(view, view.values) });
  }

  const getStack = (workspace: Workspace, person: string) => workspace.stacks.get(person) ?? [];

  function setStack(workspace: Workspace, person: string, stack: View[]): void {
    workspace.stacks.set(person, stack);
    const top = stack.at(-1);
    if (top) reportIfChanged(top, 'form');
  }

  function createView(workspace: Workspace, person: string, content: Json, below?: View): View {
    const id = createId('V');
    const view: View = {
      id,
      hash: '',
      workspace: workspace.id,
      person,
      content: {},
      rootId: below?.rootId ?? id,
      previousId: below?.id ?? null,
      values: {},
      errors: {},
      loadedOptions: new Map(),
      isSubmitting: false,
      shownText: undefined,
      isPressed: false,
      isUnread: false,
    };
    return setContent(view, content);
  }

  function setContent(view: View, content: Json): View {
    const blocks = addIds(getRecords(content, 'blocks'), createId);
    const values = computeValues(blocks, view.values);
    const isKept = (blockId: string, actionId: string, type: string) =>
      view.values[blockId]?.[actionId]?.type === type;
    const hasNewValues = listElements(blocks).some(
      ({ blockId, actionId, type }) =>
        !isKept(blockId, actionId, type) && readValue(values[blockId]?.[actionId]) !== undefined,
    );
    view.content = { ...content, blocks };
    view.hash = `${Math.floor(now() / 1000)}.${createId('h')}`;
    view.values = values;
    view.errors = {};
    view.isUnread ||= hasNewValues || view.isPressed;
    view.isPressed = false;
    return view;
  }

  const events: SlackRequest[] = [];

  const state = {
    now,
    createId,
    client,
    workspaces,
    tokens: new Map<string, Token>(),
    codes: new Map<
      string,
      { workspace: Workspace; installer: string; scopes: readonly string[]; madeAt: number; isUsed: boolean }
    >(),
    /** Methods that the app called and that aren't simulated. */
    unknownMethods: new Set<string>(),
    /** Events that calls of the Web API caused. */
    events,
    takeNextTs,
    isActive,
    getStack,
    reportView,

    requireWorkspace(id: string): Workspace {
      const workspace = workspaces.get(id);
      if (!workspace) throw new Error(`there is no workspace ${id}`);
      return workspace;
    },

    findMessage: (workspace: Workspace, channel: string, ts: string) =>
      workspace.messages.find((message) => message.channel === channel && message.ts === ts),

    /** The direct message of a person and the bot. */
    openDirectMessage(workspace: Workspace, person: string): Channel {
      const id = `D${person.slice(1)}`;
      const channel: Channel = workspace.channels.get(id) ?? {
        id,
        name: 'directmessage',
        kind: 'im',
        members: [person],
        botIsMember: true,
      };
      workspace.channels.set(id, channel);
      return channel;
    },

    addMessage(
      workspace: Workspace,
      message: Pick<Message, 'channel' | 'user'> & Partial<Message>,
      content: Pick<Version, 'text' | 'blocks'>,
    ): Message {
      const added: Message = {
        isByApp: message.user === workspace.botUser,
        threadTs: undefined,
        ephemeralTo: undefined,
        metadata: undefined,
        ...message,
        ts: takeNextTs(workspace),
        versions: [{ at: now(), text: content.text, blocks: addIds(content.blocks, createId) }],
      };
      workspace.messages.push(added);
      reportMessage(workspace, added, true);
      return added;
    },

    changeMessage(workspace: Workspace, message: Message, content: Pick<Version, 'text' | 'blocks'>): void {
      const { blocks, text } = currentVersion(message);
      message.versions.push({ at: now(), text: content.text, blocks: addIds(content.blocks, createId) });
      if (renderText(blocks, text) !== renderText(content.blocks, content.text))
        reportMessage(workspace, message, false);
    },

    deleteMessage(workspace: Workspace, message: Message): void {
      workspace.messages = workspace.messages.filter((each) => each !== message);
    },

    createTrigger(workspace: Workspace, person: string, fromView?: string): string {
      const id = createId(`${now()}.`);
      triggers.set(id, { workspace, person, fromView, madeAt: now(), isUsed: false });
      return id;
    },

    useTrigger(workspace: Workspace, id: string): { person: string; fromView: string | undefined } {
      const trigger = triggers.get(id);
      if (!trigger || trigger.workspace !== workspace) throw new Refusal('invalid_trigger_id');
      if (trigger.isUsed) throw new Refusal('exchanged_trigger_id');
      if (now() - trigger.madeAt > TRIGGER_MS) throw new Refusal('expired_trigger_id');
      trigger.isUsed = true;
      return trigger;
    },

    createResponseUrl(kind: 'actions' | 'commands', target: ResponseTarget): string {
      const url = `https://hooks.slack.com/${kind}/${target.workspace.id}/${createId('')}`;
      responseUrls.set(url, { target, madeAt: now(), uses: 0 });
      return url;
    },

    /** Counts one use, also if Slack then refuses the message. */
    useResponseUrl(url: string): ResponseTarget {
      const found = responseUrls.get(url);
      if (!found?.target.workspace.isInstalled) throw new Refusal('invalid_url');
      if (now() - found.madeAt > RESPONSE_URL_MS) throw new Refusal('expired_url');
      if (found.uses >= RESPONSE_URL_USES) throw new Refusal('used_url');
      found.uses += 1;
      return found.target;
    },

    /** Slack's client closes the open views first. */
    openView(workspace: Workspace, person: string, content: Json): View {
      const view = createView(workspace, person, content);
      setStack(workspace, person, [view]);
      return view;
    },

    pushView(workspace: Workspace, person: string, content: Json): View {
      const stack = getStack(workspace, person);
      if (stack.length >= MAX_OPEN_VIEWS) throw new Refusal('push_limit_reached');
      const view = createView(workspace, person, content, stack.at(-1));
      setStack(workspace, person, [...stack, view]);
      return view;
    },

    updateView(view: View, content: Json): View {
      setContent(view, content);
      // A view below another one has to be true when it is sent, although people get back to it only later.
      reportIfChanged(view, content.type === 'home' ? 'home' : 'form');
      return view;
    },

    /** Closes a view and those above it. */
    closeView(workspace: Workspace, view: View): void {
      const stack = getStack(workspace, view.person);
      const index = stack.indexOf(view);
      if (index >= 0) setStack(workspace, view.person, stack.slice(0, index));
    },

    clearViews(workspace: Workspace, person: string): void {
      workspace.stacks.delete(person);
    },

    publishHome(workspace: Workspace, person: string, content: Json): View {
      const published = workspace.homes.get(person);
      if (published) return state.updateView(published, content);
      const home = createView(workspace, person, content);
      workspace.homes.set(person, home);
      reportIfChanged(home, 'home');
      return home;
    },

    /** Shows errors under the fields of a view, or above them with the key ''. */
    showErrors(workspace: Workspace, view: View, errors: Record<string, string>): void {
      if (getStack(workspace, view.person).at(-1) !== view) return;
      view.errors = errors;
      reportView(view, 'errors', { text: Object.values(errors).join('\n') });
    },

    /** Shows a notice of Slack's own that only this person sees, such as that a command failed. */
    showNotice(workspace: Workspace, person: string, channel: string, text: string): void {
      const shown = { workspace: workspace.id, channel, reader: person, id: '', isNew: true, text };
      onShown({ ...shown, surface: 'ephemeral' });
    },

    /** Ends all tokens of a workspace. The app leaves its channels. */
    uninstall(workspace: Workspace): void {
      for (const token of state.tokens.values())
        if (token.workspace === workspace.id) token.endedBy ??= 'account_inactive';
      workspace.isInstalled = false;
      for (const channel of workspace.channels.values()) channel.botIsMember = channel.kind === 'im';
    },

    /** Grants a token, and returns the answer of oauth.v2.access. An existing token gets the new scopes too. */
    install(workspace: Workspace, installer: string, scopes: readonly string[]): Json {
      const valid = [...state.tokens].find(
        ([, token]) => token.workspace === workspace.id && token.endedBy === undefined,
      );
      const name = valid?.[0] ?? createId('xoxb-');
      const granted = [...new Set([...(valid?.[1].scopes ?? []), ...scopes])];
      state.tokens.set(name, { workspace: workspace.id, scopes: granted, endedBy: undefined });
      workspace.isInstalled = true;
      return {
        ok: true,
        access_token: name,
        token_type: 'bot',
        scope: granted.join(','),
        bot_user_id: workspace.botUser,
        app_id: APP_ID,
        team: { id: workspace.id, name: workspace.name },
        enterprise: null,
        is_enterprise_install: false,
        authed_user: { id: installer },
      };
    },

    /** Builds an event. A retry is the same request again. */
    createEvent(
      workspace: Workspace,
      event: Json & { type: string },
      about: { person: string; description: string },
    ): SlackRequest {
      const hasContext = event.type !== 'app_home_opened';
      const body = {
        token: 'simulated',
        team_id: workspace.id,
        api_app_id: APP_ID,
        event: { event_ts: (now() / 1000).toFixed(6), ...event },
        type: 'event_callback',
        event_id: createId('Ev'),
        event_time: Math.floor(now() / 1000),
        ...(hasContext && { context_team_id: workspace.id, context_enterprise_id: null }),
        authorizations: [
          {
            enterprise_id: null,
            team_id: workspace.id,
            user_id: workspace.botUser,
            is_bot: true,
            is_enterprise_install: false,
          },
        ],
        is_ext_shared_channel: false,
        event_context: createId('EC'),
      };
      return {
        kind: 'event',
        workspace: workspace.id,
        ...about,
        contentType: 'application/json',
        body: JSON.stringify(body),
        onResponse: () => undefined,
      };
    },
  };
  return state;
}

export type SlackState = ReturnType<typeof createSlackState>;
