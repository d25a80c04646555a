import type { RequestListener } from 'node:http';
import { createAccess, type FirstOwners } from './access/access.ts';
import { createRecord } from './access/record/record.ts';
import type { Needed, Role } from './access/roles.ts';
import type { ApiClient, ApiClientOptions } from './api/client.ts';
import { noClient } from './api/no-client.ts';
import { createRememberedReads } from './api/remembered-reads.ts';
import { createCompose } from './digests/composed/create-compose.ts';
import { createDigests, type Digests } from './digests/digests.ts';
import type { DigestParts } from './digests/parts.ts';
import { audit } from './features/audit/audit.ts';
import { connect } from './features/connect/connect.ts';
import { digests as digestsFeature } from './features/digests/digests.ts';
import { fileDeletion } from './features/files/file-deletion.ts';
import { files } from './features/files/files.ts';
import { help } from './features/help/help.ts';
import { offers } from './features/help/offers.ts';
import { home } from './features/home/home.ts';
import { refreshHome } from './features/home/refresh-home.ts';
import { listPosts } from './features/list-posts/list-posts.ts';
import { logs } from './features/logs/logs.ts';
import { outbox } from './features/outbox/outbox.ts';
import { projects } from './features/projects/projects.ts';
import { prompts } from './features/prompts/prompts.ts';
import { maySend } from './features/roles/may-send.ts';
import { createPermission } from './features/roles/permission.ts';
import { roles } from './features/roles/roles.ts';
import { schedulePost } from './features/schedule-post/schedule-post.ts';
import { sources } from './features/sources/sources.ts';
import { status } from './features/status/status.ts';
import { templates } from './features/templates/templates.ts';
import { upNext } from './features/up-next/up-next.ts';
import { inviteUser } from './features/users/invite-user.ts';
import { updateUser } from './features/users/update-user.ts';
import { webhook } from './features/webhook/webhook.ts';
import { welcome, welcomeMessage } from './features/welcome/welcome.ts';
import { zone } from './features/zone/zone.ts';
import { AnsweringApp } from './slack/bolt/answering-app.ts';
import { REMEMBERED_MS } from './slack/bolt/arrivals.ts';
import { boltLog } from './slack/bolt/bolt-log.ts';
import { original } from './slack/bolt/failure.ts';
import { foreignApps } from './slack/bolt/foreign-app.ts';
import { createRouter } from './slack/bolt/router.ts';
import { clientOptionsFor, type SlackConnection, transport } from './slack/bolt/transport.ts';
import { underWay } from './slack/bolt/under-way.ts';
import type { Feature, Log } from './slack/feature.ts';
import { botScopes } from './slack/scopes.ts';
import { isFirst } from './store/done-once.ts';
import { seenRequests } from './store/seen-requests.ts';
import { PACE } from './submissions/pace.ts';
import type { Parts } from './submissions/parts.ts';
import { createSubmissions } from './submissions/submissions.ts';
import { answerStranger } from './workspaces/answer-stranger.ts';
import { authorizeBy, firstOwners, withPages } from './workspaces/presence.ts';
import type { ServiceAccess } from './workspaces/service-addresses.ts';
import { createWorkspaces } from './workspaces/workspaces.ts';

/** Features about digests find them among their parts. */
type BotParts = Parts & DigestParts;

/** What people can do, in the order in which help lists it. */
export const features: readonly Feature<BotParts, Needed>[] = [
  upNext,
  schedulePost,
  listPosts,
  prompts,
  templates,
  sources,
  logs,
  outbox,
  projects,
  zone,
  digestsFeature,
  inviteUser,
  updateUser,
  webhook,
  files,
  home,
  connect,
  roles,
  audit,
  welcome,
  status,
  help,
];

interface BotOptions extends Pick<Parts, 'db' | 'encryption' | 'practice'> {
  /** The settings' own service: for the workspace of the bot token, and no other. */
  api?: ApiClient;
  /** What may be connected from Slack; any public address without. */
  serviceAccess?: ServiceAccess;
  /** Told of each call to what was connected from Slack. */
  onServiceCall?: ApiClientOptions['onCall'];
  slack: SlackConnection;
  log: Log;
  now?: () => Date;
  /** False without. */
  allowFileDeletion?: boolean;
  /** Who owns a workspace before anything was given; who installed it there, or those who own it in Slack, without. */
  owners?: FirstOwners;
  /** Of full members who were given no role; none without. */
  membersDefaultRole?: Role | undefined;
  /** Shorter waits, for tests. */
  pace?: Parts['pace'];
  /** Told what came of each request over HTTP. */
  onSlackRequest?: Parameters<typeof transport>[0]['onSlackRequest'];
  /** Slack refuses for good while the bot is running. */
  onFatal?: (reason: Error) => void;
}

export interface Bot {
  /** Rejects with SlackRefused where a token is bad, with Slack's client's own error where Slack is not reached. */
  start(): Promise<void>;
  /** Takes nothing new, and waits for what is under way, 8 s at most. */
  stop(): Promise<void>;
  isReady(): Promise<boolean>;
  /** What brings on its way what people submit. */
  submissions: Parts['submissions'];
  /** What posts by itself. */
  digests: Digests;
  /** HTTP mode: `POST /slack/events`, and with many workspaces the pages for installing it. */
  requestListener?: RequestListener;
  /** Where it is installed, with many workspaces. */
  installUrl?: string | undefined;
}

/** Slack sends an event again for six minutes, and later when it was out of order itself. */
const EVENT_AGAIN_MS = 60 * 60 * 1000;

export function createBot(options: BotOptions): Bot {
  const { slack, log, db } = options;
  const { api, encryption, practice, pace = PACE, now = () => new Date() } = options;
  const { allowFileDeletion = false } = options;
  const logger = boltLog(log);
  const clientOptions = clientOptionsFor(slack.apiUrl, logger);
  const { presence, services, slackFor, tellHeld } = createWorkspaces({
    slack,
    clientOptions,
    scopes: Object.keys(botScopes(features)),
    api,
    access: options.serviceAccess ?? { allowPrivate: false },
    onCall: options.onServiceCall,
    db,
    encryption,
    log,
    now,
    welcome: welcomeMessage(features),
    ownersOf: (workspace) => access.ownersOf(workspace),
  });
  const access = createAccess({
    db,
    owners: options.owners ?? firstOwners(slack.kind, presence),
    membersDefaultRole: options.membersDefaultRole,
    slackFor,
    now,
    failed: (error) => log.warn({ err: error }, 'Slack did not say who somebody is'),
  });
  const record = createRecord({
    db,
    now,
    failed: (error, entries) => log.error({ err: error, entries }, 'the record could not be kept'),
  });
  const permission = createPermission<BotParts>(features);
  const submissions = createSubmissions({
    db,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace,
    practice,
    log,
    now,
    apiFor: services.apiFor,
    slackFor,
    may: maySend(access, record),
    isOff: (kind) => kind === fileDeletion.name && !allowFileDeletion,
    tellOwners: tellHeld,
  });
  const digests = createDigests({
    db,
    encryption,
    compose: createCompose({
      authorOf: submissions.authorOf,
      mayRead: (who, project) => access.mayStill(who, 'viewer', project),
      practice,
      log,
    }),
    log,
    now,
    apiFor: services.apiFor,
    slackFor,
  });
  const router = createRouter<BotParts>({
    partsFor: async ({ workspace }) => {
      const own = await services.of(workspace);
      return { api: own.api, practice: practice && own.isDefault };
    },
    parts: {
      api: noClient('not-connected'),
      services,
      reads: createRememberedReads(),
      db,
      encryption,
      practice,
      allowFileDeletion,
      pace,
      submissions,
      digests,
      access,
      record,
    },
    features,
    catalogue: features,
    first: upNext.name,
    log,
    now,
    apiUrl: slack.apiUrl,
    permit: permission.permit,
    forAll: { feature: help.name, command: 'help' },
    offers,
    afterwards: async (call) => {
      const allowed = await permission.narrowed(call, 'viewer');
      if (allowed) await refreshHome(allowed);
    },
    isFirst: ({ who }, name) =>
      isFirst(db, { workspace: who.workspace, name, now: now(), keepMs: EVENT_AGAIN_MS }),
  });
  const work = underWay();
  const foreign = foreignApps(log);
  // Slack signs by the computer's own time, whatever the practice workspace's clock says.
  const share = seenRequests(db, { keepMs: REMEMBERED_MS, now: Date.now });
  const { receiver, connection, requestListener } = transport({ ...options, share }, logger, clientOptions);
  const app = new AnsweringApp({
    receiver,
    logger,
    clientOptions,
    convoStore: false,
    authorize: authorizeBy(presence),
  });
  app.use(async ({ body, client, context, ...rest }) => {
    const given: unknown = 'ack' in rest ? rest.ack : undefined;
    // Events have none: Bolt has acknowledged them.
    const ack = isAck(given) ? given : async () => {};
    if (await foreign.answered(body, ack)) return;
    if (await presence.heardOfEnd(body)) return;
    const bot = context.botUserId;
    const isHere = context.botToken !== undefined;
    if (isHere) foreign.learnFrom(client, context.botId);
    const stranger = () =>
      answerStranger(body, ack, { installUrl: presence.installUrl, apiUrl: slack.apiUrl });
    await work.add(isHere ? router({ body, client, ack, bot }) : stranger());
  });
  app.error(async (error) =>
    log.error({ err: original(error) }, 'a request of Slack’s failed before it was handled'),
  );
  return {
    async start() {
      await presence.start();
      await connection?.start();
      submissions.start();
      digests.start();
      for (const feature of features) feature.warmUp?.();
    },
    async stop() {
      await connection?.stop();
      await Promise.all([work.settled(), work.atMost(submissions.stop()), work.atMost(digests.stop())]);
      await work.atMost(record.settled());
      await services.close();
      presence.stop();
    },
    async isReady() {
      if (!presence.isReady()) return false;
      await db.selectNoFrom((one) => one.val(1).as('one')).execute();
      return true;
    },
    submissions,
    digests,
    installUrl: presence.installUrl,
    ...(requestListener && { requestListener: withPages(presence, requestListener) }),
  };
}

/** Bolt's `ack`, whose parameter differs with the kind of request. */
function isAck(value: unknown): value is (payload?: unknown) => Promise<void> {
  return typeof value === 'function';
}
