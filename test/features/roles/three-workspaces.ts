import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import {
  createAccess,
  createEncryption,
  createRecord,
  type Role,
  saveGrant,
} from '../../../src/access/access.ts';
import { createCachedReads } from '../../../src/api/cached-reads.ts';
import { type ApiClient, createApiClient } from '../../../src/api/client.ts';
import { features } from '../../../src/app/features.ts';
import { createComposer } from '../../../src/digests/content/create-composer.ts';
import { createDigests } from '../../../src/digests/digests.ts';
import { offers } from '../../../src/features/help/offers.ts';
import { maySend } from '../../../src/features/roles/narrowed-context.ts';
import { createPermission } from '../../../src/features/roles/permission.ts';
import { createRouter } from '../../../src/slack/bolt/bolt.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { createSubmissions } from '../../../src/submissions/submissions.ts';
import { createCredentials } from '../../../src/workspaces/credentials.ts';
import { NOW } from '../../support/bot.ts';
import { data, json, type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';
import { opener } from './opener.ts';

export const NUMBERS = [1, 2, 3] as const;
export const workspaceId = (number: number) => `T0TEAM${number}`;
export const projectId = (number: number, project: number) => `p${number}${project}`;
/** Everything of a project's says so. */
export const secretOf = (number: number, project: number) => `Secret-${number}-${project}`;
export const ownerOf = (number: number) => `U0OWNER${number}`;
/** Runs the first project of their workspace, and sees no other. */
export const runnerOf = (number: number) => `U0RUNNER${number}`;

/** All are workspaces of one Enterprise Grid organisation; a person is in this one alone. */
const homeOf = (user: string) => workspaceId(Number(user.at(-1)));

/** People of another organisation read it too. */
export const SHARED_CHANNEL = 'C0SHARED';

/** The bot with three workspaces, each with a service of its own that holds three projects; Slack is a pretence. */
export async function threeWorkspaces(db: Kysely<BotSchema>) {
  const all = [...features, opener(features)];
  const services = new Map<string, ScriptedService>();
  const apis = new Map<string, ApiClient>();
  for (const number of NUMBERS) {
    const service = await startScriptedService();
    script(service, number);
    services.set(workspaceId(number), service);
    apis.set(workspaceId(number), createApiClient({ baseUrl: service.url, token: `token-${number}` }));
    for (const [subject, project, role] of [
      [ownerOf(number), '', 'owner'],
      [runnerOf(number), projectId(number, 1), 'manager'],
    ] as const) {
      await give(db, { workspace: workspaceId(number), subject, project, role });
    }
  }
  const heard: unknown[] = [];
  const failures: string[] = [];
  const failed = (...facts: unknown[]) => void failures.push(inspect(facts));
  const log = { debug() {}, info() {}, warn() {}, error: failed };
  const hear = async (said: unknown) => {
    heard.push(said);
    return { ok: true, channel: 'D1', ts: '1.1', view: { id: 'V1', hash: 'h' } };
  };
  const client = {
    users: {
      info: async ({ user }: { user: string }) => ({
        user: { id: user, team_id: homeOf(user), enterprise_user: { teams: [homeOf(user)] } },
      }),
    },
    usergroups: { users: { list: async () => ({ users: [] }) }, list: async () => ({ usergroups: [] }) },
    conversations: {
      info: async ({ channel }: { channel: string }) => ({
        channel: { is_member: true, is_private: false, is_ext_shared: channel === SHARED_CHANNEL },
      }),
      open: hear,
    },
    chat: { postMessage: hear, postEphemeral: hear, update: hear, getPermalink: async () => ({}) },
    views: { publish: hear, open: hear, push: hear, update: hear },
    files: { uploadV2: hear },
    ...{ auth: { test: async () => ({}) }, emoji: { list: async () => ({ emoji: {} }) } },
  } as unknown as WebClient;
  const common = { db, now: () => NOW, log };
  const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  const slackFor = async () => client;
  const apiFor = async (workspace: string) => apis.get(workspace);
  const access = createAccess({
    ...common,
    owners: { kind: 'installer', of: async () => undefined },
    slackFor,
    onError: failed,
  });
  const record = createRecord({ ...common, encryption, onError: failed });
  const submissions = createSubmissions({
    ...common,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace: { ...PACE, answerMs: 2_000, saveMs: 2_000, afterAcknowledgementMs: 0 },
    practice: false,
    apiFor,
    slackFor,
    may: maySend(access, record),
    notifyOwners: async () => undefined,
  });
  const compose = createComposer({
    authorOf: submissions.authorOf,
    mayRead: (actor, project) => access.mayStill(actor, 'viewer', project),
    practice: false,
    log,
  });
  const digests = createDigests({ ...common, encryption, compose, apiFor, slackFor });
  const credentials = createCredentials({ db, encryption, onUnusable: () => undefined });
  const connected = {
    of: async (workspace: string) => ({ api: apis.get(workspace), isDefault: true }),
    apiFor,
    listConnections: credentials.list,
    hasDefault: () => true,
    // Nobody is led to a service of their own making: each goes on with the one that is here.
    read: () => ({ fault: 'not-an-address' }),
    save: credentials.save,
    remove: credentials.remove,
  };
  const context = {
    ...{ db, encryption, access, record, submissions, digests, services: connected },
    ...{ practice: false, allowFileDeletion: true, pace: PACE, reads: createCachedReads() },
  };
  type All = Parameters<typeof createRouter>[0]['context'];
  const router = createRouter({
    context: context as unknown as All,
    loadWorkspaceContext: async ({ workspace }: { workspace: string }) =>
      ({ api: apis.get(workspace) }) as never,
    features: all as never,
    catalogue: features,
    defaultFeature: 'up-next',
    log,
    now: () => NOW,
    permit: createPermission(all).permit as never,
    helpCommand: { feature: 'help', command: 'help' },
    offers: offers as never,
    isFirstDelivery: async () => true,
  });
  return {
    access,
    services,
    credentials,
    digests,
    submissions,
    /** What was said for one request of Slack's. */
    async ask(body: object): Promise<unknown[]> {
      heard.length = 0;
      await router({ body, client, bot: 'U0BOT', ack: async (said) => void heard.push(said) });
      return [...heard];
    },
    /** What was logged at error level since this was last asked. */
    failures: () => failures.splice(0),
    async close() {
      await record.flush();
      for (const service of services.values()) await service.stop();
      for (const api of apis.values()) await api.close();
    },
  };
}

export async function give(
  db: Kysely<BotSchema>,
  to: { workspace: string; subject: string; project: string; role: Role },
): Promise<void> {
  await saveGrant(db, {
    ...to,
    subjectKind: 'person',
    reason: 'given',
    grantedBy: to.subject,
    grantedAt: NOW,
  });
}

/** What the service lists of a project: each has one, whose id begins so. */
export const RECORDS = ['posts', 'templates', 'sources', 'logs', 'upnext-post'] as const;

/** Lists everything with the project's secret in it; takes nothing, so that what is sent waits for its person. */
function script(service: ScriptedService, number: number): void {
  const projects = NUMBERS.map((project) => ({
    Id: projectId(number, project),
    Name: secretOf(number, project),
  }));
  service.on('GET /projects', data(projects));
  for (const what of RECORDS) {
    service.on(`GET /${what}`, (call, response) => {
      const project = Number(/\/projects\/p\d(\d)/.exec(call.path)?.[1]);
      const secret = secretOf(number, project);
      const one = {
        ...{
          Id: `${what}-${number}${project}`,
          Name: secret,
          Content: secret,
          Message: secret,
          Description: secret,
        },
        ...{ Status: 'SCHEDULED', Platforms: ['X'], ScheduleDate: '2026-11-25T09:00:00Z', Timezone: 'UTC' },
      };
      return data(what === 'upnext-post' ? one : [one])(call, response);
    });
  }
  service.on('POST /posts', json(403, {}));
}
