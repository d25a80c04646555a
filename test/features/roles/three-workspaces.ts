import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import {
  createAccess,
  createAuditRecord,
  createEncryption,
  type Role,
  saveGrant,
} from '../../../src/access/access.ts';
import { createCachedReads } from '../../../src/api/cached-reads.ts';
import { type ApiClient, createApiClient } from '../../../src/api/client.ts';
import { features } from '../../../src/app/features.ts';
import { createComposer } from '../../../src/digests/content/create-composer.ts';
import { createDigests } from '../../../src/digests/digests.ts';
import { listDeeds } from '../../../src/features/audit/request-deeds.ts';
import { fallbackReplies } from '../../../src/features/help/fallback-replies.ts';
import { createSendCheck } from '../../../src/features/roles/narrowed-context.ts';
import { createPermissionCheck } from '../../../src/features/roles/permission.ts';
import { createRouter } from '../../../src/handlers/bolt/bolt.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { createHeldPosts } from '../../../src/held-posts/held-posts.ts';
import { readHeldPlan } from '../../../src/held-posts/listed-posts.ts';
import { HELD_POST_PACE } from '../../../src/held-posts/pace.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { createCredentials } from '../../../src/workspaces/credentials.ts';
import { NOW } from '../../support/bot.ts';
import { createRunnableSubmissions } from '../../support/run-submissions.ts';
import { data, json, type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createOpener } from './opener.ts';

/** The numbers of the workspaces, and of the projects in each workspace. */
export const NUMBERS = [1, 2, 3] as const;
export const getWorkspaceId = (workspaceNumber: number) => `T0TEAM${workspaceNumber}`;
export const getProjectId = (workspaceNumber: number, projectNumber: number) =>
  `p${workspaceNumber}${projectNumber}`;
/** The name and text of every record in a project. */
export const getSecret = (workspaceNumber: number, projectNumber: number) =>
  `Secret-${workspaceNumber}-${projectNumber}`;
export const getOwnerId = (workspaceNumber: number) => `U0OWNER${workspaceNumber}`;
/** A person who manages the first project of their workspace, and has no other role. */
export const getManagerId = (workspaceNumber: number) => `U0MANAGER${workspaceNumber}`;

/** Returns the only workspace of a person. All workspaces are in one Enterprise Grid organisation. */
const getHomeWorkspace = (user: string) => getWorkspaceId(Number(user.at(-1)));

/** A channel that people of another organisation read too. */
export const SHARED_CHANNEL = 'C0SHARED';

/** Starts a bot with three workspaces, each with its own service and three projects. Slack's client is a stub. */
export async function startThreeWorkspaces(db: Kysely<BotSchema>) {
  const allFeatures = [...features, createOpener(features)];
  const services = new Map<string, ScriptedService>();
  const apis = new Map<string, ApiClient>();
  for (const workspaceNumber of NUMBERS) {
    const service = await startScriptedService();
    scriptService(service, workspaceNumber);
    services.set(getWorkspaceId(workspaceNumber), service);
    apis.set(
      getWorkspaceId(workspaceNumber),
      createApiClient({ baseUrl: service.url, token: `token-${workspaceNumber}` }),
    );
    for (const [subject, project, role] of [
      [getOwnerId(workspaceNumber), '', 'owner'],
      [getManagerId(workspaceNumber), getProjectId(workspaceNumber, 1), 'manager'],
    ] as const) {
      await grantRole(db, { workspace: getWorkspaceId(workspaceNumber), subject, project, role });
    }
  }
  const answers: unknown[] = [];
  const failures: string[] = [];
  const recordFailure = (...fields: unknown[]) => void failures.push(inspect(fields));
  const log = { debug() {}, info() {}, warn() {}, error: recordFailure };
  const recordMessage = async (message: unknown) => {
    answers.push(message);
    return { ok: true, channel: 'D1', ts: '1.1', view: { id: 'V1', hash: 'h' } };
  };
  const client = {
    users: {
      info: async ({ user }: { user: string }) => ({
        user: {
          id: user,
          team_id: getHomeWorkspace(user),
          enterprise_user: { teams: [getHomeWorkspace(user)] },
        },
      }),
    },
    usergroups: { users: { list: async () => ({ users: [] }) }, list: async () => ({ usergroups: [] }) },
    conversations: {
      info: async ({ channel }: { channel: string }) => ({
        channel: { is_member: true, is_private: false, is_ext_shared: channel === SHARED_CHANNEL },
      }),
      open: recordMessage,
    },
    chat: {
      postMessage: recordMessage,
      postEphemeral: recordMessage,
      update: recordMessage,
      getPermalink: async () => ({}),
    },
    views: { publish: recordMessage, open: recordMessage, push: recordMessage, update: recordMessage },
    files: { uploadV2: recordMessage },
    ...{ auth: { test: async () => ({}) }, emoji: { list: async () => ({ emoji: {} }) } },
  } as unknown as WebClient;
  const sharedOptions = { db, now: () => NOW, log };
  // On a slow machine no reply may come late, because late replies go to a response URL instead of the acknowledgement.
  const pace = {
    ...PACE,
    ...{
      acknowledgementTimeoutMs: 2_000,
      saveMs: 2_000,
      afterAcknowledgementMs: 0,
      slowNoticeDelayMs: 60_000,
    },
  };
  const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  const findSlackClient = async () => client;
  const findApiClient = async (workspace: string) => apis.get(workspace);
  const access = createAccess({
    ...sharedOptions,
    owners: { kind: 'installer', findInstaller: async () => undefined },
    findSlackClient,
    onError: recordFailure,
  });
  const record = createAuditRecord({ ...sharedOptions, onError: recordFailure });
  const clock = createTestClock(() => new Date(), sharedOptions.now);
  const submissions = createRunnableSubmissions({
    ...sharedOptions,
    clock,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace,
    isEmulated: false,
    findApiClient,
    findSlackClient,
    checkPermission: createSendCheck(access, record),
    notifyOwners: async () => undefined,
  });
  const heldPosts = createHeldPosts({
    ...sharedOptions,
    clock,
    engine: submissions.engine,
    submissions,
    isEmulated: false,
    findSlackClient,
    approvers: access,
    // No poll runs that would hand posts over.
    pace: { ...HELD_POST_PACE, handOverWaitMs: 0 },
  });
  const compose = createComposer({
    findAuthor: submissions.findAuthor,
    checkReadPermission: (actor, project) => access.recheckPermission(actor, 'viewer', project),
    listStoppedProjects: async () => [],
    readHeldPlan: (query) => readHeldPlan(heldPosts.context, query),
    isEmulated: false,
    log,
  });
  const digests = createDigests({
    ...sharedOptions,
    clock,
    engine: submissions.engine,
    encryption,
    compose,
    findApiClient,
    findSlackClient,
  });
  const credentials = createCredentials({ db, encryption, onUnusable: () => undefined });
  const serviceAddressRules = {
    resolveService: async (workspace: string) => ({ api: apis.get(workspace), isDefault: true }),
    findApi: findApiClient,
    listConnections: credentials.list,
    hasDefault: () => true,
    // Nobody can connect another service: every address is refused.
    parseAddress: () => ({ fault: 'not-an-address' }),
    save: credentials.save,
    remove: credentials.remove,
  };
  const context = {
    deeds: listDeeds(features),
    ...{ db, encryption, access, record, submissions, digests, heldPosts, engine: submissions.engine },
    services: serviceAddressRules,
    ...{ isEmulated: false, allowFileDeletion: true, pace, reads: createCachedReads() },
  };
  type RouterContext = Parameters<typeof createRouter>[0]['context'];
  const router = createRouter({
    context: context as unknown as RouterContext,
    loadWorkspaceContext: async ({ workspace }: { workspace: string }) =>
      ({ api: apis.get(workspace) }) as never,
    features: allFeatures as never,
    catalogue: features,
    defaultFeature: 'up-next',
    log,
    now: () => NOW,
    permit: createPermissionCheck(allFeatures).permit as never,
    helpCommand: { feature: 'help', command: 'help' },
    fallbackReplies: fallbackReplies as never,
    isFirstDelivery: async () => true,
  });
  return {
    access,
    services,
    credentials,
    digests,
    submissions,
    heldPosts,
    /** Delivers one request. Returns everything that the app sends to Slack. */
    async ask(body: object): Promise<unknown[]> {
      answers.length = 0;
      await router({ body, client, bot: 'U0BOT', ack: async (response) => void answers.push(response) });
      return [...answers];
    },
    /** Returns the errors that were logged since the last call. */
    takeFailures: () => failures.splice(0),
    async close() {
      await record.flush();
      for (const service of services.values()) await service.stop();
      for (const api of apis.values()) await api.close();
    },
  };
}

export async function grantRole(
  db: Kysely<BotSchema>,
  grant: { workspace: string; subject: string; project: string; role: Role },
): Promise<void> {
  await saveGrant(db, {
    ...grant,
    subjectKind: 'person',
    reason: 'given',
    grantedBy: grant.subject,
    grantedAt: NOW,
  });
}

/** Kinds of records in the service. Each project has one record of each kind, whose id begins with the kind. */
export const RECORD_KINDS = ['posts', 'templates', 'sources', 'logs', 'upnext-post'] as const;

/** Lists records that contain the project's secret. Refuses posts, so that submissions wait for their author. */
function scriptService(service: ScriptedService, workspaceNumber: number): void {
  const projects = NUMBERS.map((projectNumber) => ({
    Id: getProjectId(workspaceNumber, projectNumber),
    Name: getSecret(workspaceNumber, projectNumber),
  }));
  service.on('GET /projects', data(projects));
  for (const kind of RECORD_KINDS) {
    service.on(`GET /${kind}`, (call, response) => {
      const projectNumber = Number(/\/projects\/p\d(\d)/.exec(call.path)?.[1]);
      const secret = getSecret(workspaceNumber, projectNumber);
      const serviceRecord = {
        ...{
          Id: `${kind}-${workspaceNumber}${projectNumber}`,
          Name: secret,
          Content: secret,
          Message: secret,
          Description: secret,
        },
        ...{ Status: 'SCHEDULED', Platforms: ['X'], ScheduleDate: '2026-11-25T09:00:00Z', Timezone: 'UTC' },
      };
      return data(kind === 'upnext-post' ? serviceRecord : [serviceRecord])(call, response);
    });
  }
  service.on('POST /posts', json(403, {}));
}
