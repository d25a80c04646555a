import { inspect } from 'node:util';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createAccess, createAuditRecord, type Role, saveGrant } from '../../../src/access/access.ts';
import { createCachedReads } from '../../../src/api/cached-reads.ts';
import { features } from '../../../src/app/features.ts';
import { createPermissionCheck } from '../../../src/features/roles/permission.ts';
import { createRouter } from '../../../src/handlers/bolt/bolt.ts';
import type { Handler } from '../../../src/handlers/call.ts';
import type { AppContext } from '../../../src/handlers/context.ts';
import type { Feature } from '../../../src/handlers/feature.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { createOpener } from './opener.ts';

export const WORKSPACE = 'T0HOME';
const BOT_ID = 'U0BOT';
const NOW = new Date('2026-11-20T12:00:00Z');

/** People of each kind, by Slack id. `slack` has the fields that differ in Slack's response about them. */
export const PEOPLE: Readonly<Record<string, { role?: Role; isOutsider?: true; slack?: object }>> = {
  U0NOBODY: {},
  U0VIEWER: { role: 'viewer' },
  U0CONTRIBUTOR: { role: 'contributor' },
  U0PUBLISHER: { role: 'publisher' },
  U0MANAGER: { role: 'manager' },
  U0OWNER: { role: 'owner' },
  // People who aren't full members have an owner's grant here, which must not count.
  U0GUEST: { role: 'owner', isOutsider: true, slack: { is_restricted: true } },
  U0GUESTOFONE: {
    role: 'owner',
    isOutsider: true,
    slack: { is_restricted: true, is_ultra_restricted: true },
  },
  U0ROBOT: { role: 'owner', isOutsider: true, slack: { is_bot: true } },
  U0GONE: { role: 'owner', isOutsider: true, slack: { deleted: true } },
  U0STRANGER: { role: 'owner', isOutsider: true, slack: { team_id: 'T0OTHER', is_stranger: true } },
  // In an Enterprise Grid organisation `team_id` is one of a person's workspaces, and `teams` has all of them.
  U0BOTHTEAMS: {
    role: 'manager',
    slack: { team_id: 'T0OTHER', enterprise_user: { teams: ['T0OTHER', WORKSPACE] } },
  },
  U0OTHERTEAM: {
    role: 'owner',
    isOutsider: true,
    slack: { team_id: 'T0OTHER', enterprise_user: { teams: ['T0OTHER'] } },
  },
  U0NOTEAM: {
    role: 'owner',
    isOutsider: true,
    slack: { team_id: 'T0OTHER', enterprise_user: { teams: [] } },
  },
  U0UNKNOWN: { role: 'owner', isOutsider: true, slack: { fails: true } },
};

/** Creates a router with the app's features and permission checks. Handlers only record that they ran. */
export async function createRecordingRouter(db: Kysely<BotSchema>) {
  for (const [subject, { role }] of Object.entries(PEOPLE)) {
    if (!role) continue;
    const grant = { workspace: WORKSPACE, subjectKind: 'person', subject, project: '', role } as const;
    await saveGrant(db, { ...grant, reason: 'given', grantedBy: 'U0OWNER', grantedAt: NOW });
  }
  const ranHandlers: string[] = [];
  const messages: unknown[] = [];
  const recordMessage = async (message: unknown) => void messages.push(message);
  const client = {
    users: { info: async ({ user }: { user: string }) => ({ user: createSlackUser(user) }) },
    chat: { postMessage: recordMessage, postEphemeral: recordMessage },
    views: { publish: recordMessage, open: recordMessage, push: recordMessage, update: recordMessage },
  } as unknown as WebClient;
  const commonOptions = { db, now: () => NOW };
  const access = createAccess({
    ...commonOptions,
    owners: { kind: 'installer', findInstaller: async () => undefined },
    findSlackClient: async () => client,
    onError: () => undefined,
  });
  const record = createAuditRecord({ ...commonOptions, onError: () => undefined });
  const recordingFeatures = features.map((feature) =>
    recordHandlers(feature, (id) => void ranHandlers.push(id)),
  );
  const allFeatures = [...recordingFeatures, createOpener(recordingFeatures)];
  const failures: string[] = [];
  const log = {
    ...{ debug() {}, info() {}, warn() {} },
    error: (...fields: unknown[]) => void failures.push(inspect(fields)),
  };
  const router = createRouter({
    context: {
      access,
      record,
      db,
      api: {},
      reads: createCachedReads(),
      submissions: {},
    } as unknown as AppContext,
    features: allFeatures,
    catalogue: allFeatures,
    defaultFeature: 'up-next',
    log,
    now: () => NOW,
    permit: createPermissionCheck(allFeatures).permit,
    helpCommand: { feature: 'help', command: 'help' },
    fallbackReplies: {
      offerSuggestion: async () => undefined,
      offerFormButton: async (_call, line) => void ranHandlers.push(`press ${line}`),
    },
    isFirstDelivery: async () => true,
  });
  return {
    record,
    /** Delivers a request. Returns the handlers that ran, everything that was sent, and the logged errors. */
    async ask(body: object): Promise<{ ranHandlers: string[]; answer: string; failures: string[] }> {
      for (const list of [ranHandlers, messages, failures]) list.length = 0;
      await router({ body, client, bot: BOT_ID, ack: async (payload) => void messages.push(payload) });
      return { ranHandlers: [...ranHandlers], answer: JSON.stringify(messages), failures: [...failures] };
    },
  };
}

function recordHandlers(feature: Feature, recordRun: (id: string) => void): Feature {
  const wrap = (handlers: Readonly<Record<string, Handler<never>>> | undefined, surface: string) =>
    Object.fromEntries(
      Object.entries(handlers ?? {}).map(([id, handler]) => [
        id,
        { ...handler, run: async () => recordRun(`${surface} ${id}`) },
      ]),
    );
  return {
    ...feature,
    commands: feature.commands.map((command) => ({
      ...command,
      opensForm: false,
      run: async () => recordRun(`command ${command.name}`),
    })),
    open: { deed: 'open the feature', ...feature.open, run: async () => recordRun(`open ${feature.name}`) },
    views: wrap(feature.views, 'view'),
    actions: wrap(feature.actions, 'action'),
    options: Object.fromEntries(
      Object.entries(feature.options ?? {}).map(([id, handler]) => [
        id,
        {
          ...handler,
          async run() {
            recordRun(`options ${id}`);
            return [];
          },
        },
      ]),
    ),
    events: wrap(feature.events, 'event'),
    shortcuts: Object.fromEntries(
      Object.entries(feature.shortcuts ?? {}).map(([id, shortcut]) => [
        id,
        { ...shortcut, run: async () => recordRun(`shortcut ${id}`) },
      ]),
    ),
  };
}

function createSlackUser(id: string): object {
  const { slack = {} } = PEOPLE[id] ?? {};
  if ('fails' in slack) throw new Error('Slack does not answer');
  return { id, team_id: WORKSPACE, is_bot: false, deleted: false, ...slack };
}
