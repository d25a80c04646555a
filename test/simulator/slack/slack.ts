import { createEntryPoints } from './entry-points.ts';
import { createForms } from './forms.ts';
import { listVisible } from './list-visible.ts';
import { createPressing } from './pressing.ts';
import type { Json } from './read-blocks.ts';
import type { SlackRequest } from './slack-request.ts';
import { createSlackState, type SlackOptions } from './slack-state.ts';
import { answerCall, type SlackCall, type SlackReply } from './web-api/answer-call.ts';
import { createUninstallEvents } from './web-api/apps.ts';
import { DOWNLOADS } from './web-api/files.ts';
import type { Message, Person, UserGroup, Workspace } from './workspace.ts';

export type { Target } from './pressing.ts';
export type { Choice, Json, ListedElement } from './read-blocks.ts';
export { listElements, renderText } from './read-blocks.ts';
export type { SlackRequest } from './slack-request.ts';
export type { SlackReply } from './web-api/answer-call.ts';

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

/**
 * Creates a simulated Slack: a synchronous model of workspaces, people and one app, without timers and sockets. Requests
 * to the app are returned, and the simulation delivers them. `handle` answers the requests of the app.
 */
export function createSlack(options: SlackOptions) {
  const state = createSlackState(options);

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
      state.codes.set(code, { ...grant, madeAt: state.now(), isUsed: false });
      return code;
    },

    /** Uninstalls the app. Its tokens end with `account_inactive`. */
    uninstall(workspaceId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      state.uninstall(workspace);
      return createUninstallEvents(state, workspace);
    },

    /** Uploads a file to Slack, as somebody does who chooses it in a form. Returns the choice. */
    upload(workspaceId: string, { name, bytes }: { name: string; bytes: Buffer }): string {
      const workspace = state.requireWorkspace(workspaceId);
      const id = state.createId('F');
      workspace.files.set(id, { id, name, bytes, size: bytes.length, ticket: '', status: 'complete' });
      return `${id}/${name}`;
    },

    /** The bytes at the address of a file. Undefined if the token is that of another workspace. */
    download(address: string, token: string): Buffer | undefined {
      const id = address.slice(DOWNLOADS.length).split('/')[0] ?? '';
      const workspace = state.workspaces.get(state.tokens.get(token)?.workspace ?? '');
      return workspace?.files.get(id)?.bytes;
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

    ...createEntryPoints(state),
    ...createPressing(state),
    ...createForms(state),

    listVisible: (workspaceId: string, person: string) => listVisible(state, workspaceId, person),
  };
}
