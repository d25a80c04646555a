import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@slack/bolt';
import {
  createAccess,
  createAuditRecord,
  type FirstOwners,
  foldRepeats,
  type Role,
} from '../access/access.ts';
import { type CachedReads, createCachedReads } from '../api/cached-reads.ts';
import { type ApiClient, type ApiClientOptions, createUnavailableClient } from '../api/client.ts';
import type { ProbeLink } from '../api/probe-link.ts';
import type { BucketSettings } from '../config/config.ts';
import { createComposer } from '../digests/content/create-composer.ts';
import { createDigests } from '../digests/digests.ts';
import { DAY_MS } from '../durations.ts';
import { addMs, type Clock } from '../engine/clock.ts';
import { createEngine } from '../engine/engine.ts';
import { listStoppedProjects } from '../engine/sending-stop.ts';
import { listDeeds } from '../features/audit/audit-sentence.ts';
import { renderReturnedProjects } from '../features/connect/connect-messages.ts';
import { fileDeletion } from '../features/files/files.ts';
import { listHomes } from '../features/home/home.ts';
import { postSubmission } from '../features/schedule-post/sent/post-submission.ts';
import { renderInstallerWelcome } from '../features/welcome/welcome.ts';
import {
  createClientOptions,
  type createTransport,
  type SendToSlack,
  type SlackAnswer,
  type WorkTracker,
} from '../handlers/bolt/bolt.ts';
import type { AppContext } from '../handlers/call.ts';
import { showOutcome, takeForReview, takeOutcome } from '../held-posts/hand-over/outcome.ts';
import { createHeldPosts, listHeldMedia } from '../held-posts/held-posts.ts';
import { listDigestPlan } from '../held-posts/listed-posts.ts';
import { readPostOfSubmission } from '../held-posts/show.ts';
import { readProjectSlots } from '../held-posts/slots/slot-plan.ts';
import { insertPostAtOnce } from '../held-posts/sql/posts-at-once.ts';
import { createImports } from '../imports/imports.ts';
import { createMedia, KEPT_AFTER_POST_DAYS } from '../media/media.ts';
import { findPolicy, keepsGuestsOut } from '../preferences/project-policy.ts';
import { mapLimited } from '../promises.ts';
import { definePublications, findPublication } from '../publications/publications.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { Rates, ReachedLimit } from '../slack/rate-limits.ts';
import { listBotScopes } from '../slack/scopes.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { createStrangerQueries } from '../stranger-queries.ts';
import { PACE } from '../submissions/pace.ts';
import { updateShownMessage } from '../submissions/shown.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { SubmissionOptions } from '../submissions/submission-context.ts';
import { createSubmissions } from '../submissions/submissions.ts';
import { createWeb } from '../web/web.ts';
import {
  createFirstOwnerLookup,
  createWorkspaces,
  describeConnection,
  IS_CONNECTION_CURRENT,
  type ServiceAddressRules,
} from '../workspaces/workspaces.ts';
import { createBackgroundCalls } from './background-calls.ts';
import { endDeliveries } from './capabilities.ts';
import { features } from './features.ts';
import { createSendCheck } from './narrowed-context.ts';
import { createPermissionCheck } from './permission.ts';

/** Creates the app context, and what the app needs besides it. */
export function createContext(
  options: BotOptions & { clock: Clock },
  dependencies: { logger: Logger; work: WorkTracker },
) {
  const { db, encryption, isEmulated, clock } = options;
  const { now } = clock;
  const { pace = PACE, allowFileDeletion = false } = options;
  const optionsWithDefaults = { ...options, pace, allowFileDeletion };
  const tenancy = createTenancy(optionsWithDefaults, {
    logger: dependencies.logger,
    release: (workspace) => digests.wakeNotifications(workspace),
  });
  const { directory, slackClients, uninstallations, retention, services } = tenancy;
  const { findSlackClient, notifyPaused, access, record } = tenancy;
  const permission = createPermissionCheck(features);
  const { updateHome, look } = createBackgroundCalls({
    log: options.log,
    now,
    slackFor: findSlackClient,
    createContextFor: async (actor) => ({ ...context, ...(await loadWorkspaceContext(actor)) }),
    permission,
  });
  const reads = createCachedReads({
    now: () => now().getTime(),
    sharedNow: () => clock.readShared().getTime(),
  });
  const { submissions, digests, engine, heldPosts, imports } = createDeliveries(optionsWithDefaults, {
    ...{ services, findSlackClient, notifyPaused, access, record, reads },
    onConfirmed: ({ workspace, project }) =>
      void services
        .resolveService(workspace)
        .then(({ api }) => context.reads.dropPosts(api, project ?? undefined))
        .catch((error) => options.log.warn({ err: error }, 'could not drop cached posts')),
    onAuthorNotified: (actor) =>
      void dependencies.work
        .add(updateHome(actor))
        .catch((error) => options.log.warn({ err: error }, 'could not refresh Home')),
  });
  const queryForStranger = createStrangerQueries();
  const media = createMedia({
    queryForStranger,
    ...{ db, encryption, now, log: options.log, publicUrl: options.publicUrl, bucket: options.bucket },
    onBucketFailure: options.onBucketFailure,
    listUses: (workspace) =>
      listHeldMedia(heldPosts, workspace, addMs(now(), -KEPT_AFTER_POST_DAYS * DAY_MS)),
    scanIntervalMs: options.scanIntervalMs,
  });
  const web = createWeb({
    ...{ db, now, log: options.log, publicUrl: options.publicUrl, queryForStranger },
    look,
  });
  const context: AppContext = {
    api: createUnavailableClient('not-connected'),
    services,
    reads,
    db,
    encryption,
    isEmulated,
    allowFileDeletion,
    pace,
    submissions,
    digests,
    engine,
    heldPosts,
    async applyRoles(workspace, { people, afterMs = 0 } = {}) {
      access.onGrantsChanged(workspace);
      await heldPosts.recheckAuthority(workspace, afterMs);
      const update = async () => {
        // A closing process waits for tracked work, but not for this.
        if (afterMs > 0) await delay(afterMs, undefined, { ref: false });
        const homes = await listHomes(db, workspace, people);
        await mapLimited(
          homes,
          ({ person: user }) => updateHome({ workspace, user }, { isOldIncluded: true }),
          2,
        );
      };
      const updating = afterMs === 0 ? dependencies.work.add(update()) : update();
      void updating.catch((error) =>
        options.log.warn({ err: error }, 'could not refresh Home after a change of roles'),
      );
    },
    imports,
    media,
    web,
    probeLink: options.probeLink,
    access,
    record,
    deeds: listDeeds(features),
  };
  const loadWorkspaceContext = async ({ workspace }: Actor) => {
    const service = await services.resolveService(workspace);
    return { api: service.api, isEmulated: isEmulated && service.isDefault };
  };
  const { close: closeReads } = reads;
  return {
    context,
    closeReads,
    loadWorkspaceContext,
    directory,
    slackClients,
    uninstallations,
    retention,
    permission,
  };
}

type OptionsWithDefaults = BotOptions & Required<Pick<BotOptions, 'pace' | 'allowFileDeletion' | 'clock'>>;

function createTenancy(
  options: OptionsWithDefaults,
  dependencies: { logger: Logger; release(workspace: string): Promise<void> },
) {
  const { slack, log, db, api, encryption, clock } = options;
  const { now } = clock;
  const recordWriter = createAuditRecord({
    db,
    now,
    // Where the log is shipped, the line is a copy that nobody with access to the database can change.
    onWritten: (row) => log.info(row, 'audit entry'),
    onError: (error, about) =>
      log.warn({ ...about, err: error }, 'could not write audit entries, retrying later'),
    onDropped: (entries) => log.error({ entries }, 'audit entries dropped, the queue is full'),
    ...(options.onAuditEntries && { onQueueChange: options.onAuditEntries }),
  });
  const record = foldRepeats(recordWriter, { clock: () => performance.now(), now });
  const workspaces = createWorkspaces({
    slack,
    clientOptions: createClientOptions(slack.apiUrl, dependencies.logger, options.sendToSlack),
    scopes: listBotScopes(features),
    api,
    apiName: options.serviceName,
    isEmulated: options.isEmulated,
    addressRules: options.serviceAddressRules ?? { allowPrivate: false },
    onCall: options.onServiceCall,
    db,
    encryption,
    log,
    now,
    renderWelcome: renderInstallerWelcome,
    renderReturnedProjects,
    endDeliveries,
    record: record.enqueue,
    onInstalled: dependencies.release,
    scanIntervalMs: options.scanIntervalMs,
    listOwners: (workspace) => access.listOwners(workspace),
  });
  const access = createAccess({
    db,
    owners: options.owners ?? createFirstOwnerLookup(slack.kind, workspaces.directory),
    membersDefaultRole: options.membersDefaultRole,
    findSlackClient: workspaces.findSlackClient,
    now,
    onError: (error) => log.warn({ err: error }, 'permission lookup failed'),
  });
  return { ...workspaces, access, record };
}

type Tenancy = ReturnType<typeof createTenancy>;

/** Creates the deliveries: submissions, held posts, digests and publications. */
function createDeliveries(
  options: OptionsWithDefaults,
  dependencies: Pick<Tenancy, 'services' | 'findSlackClient' | 'notifyPaused' | 'access' | 'record'> & {
    reads: CachedReads;
    onConfirmed(submission: SubmissionRow): void;
    onAuthorNotified(actor: Actor): void;
  },
) {
  const { db, encryption, log, clock, pace, allowFileDeletion } = options;
  const { findSlackClient, access } = dependencies;
  const { findApi, isElsewhere } = dependencies.services;
  const engine = createEngine({
    ...{ db, clock, log, isTemporary: isTransient },
    scanIntervalMs: options.scanIntervalMs,
    maxGroupMs: options.maxGroupMs,
  });
  const findManagers = async (workspace: string, project: string | undefined) => {
    if (project !== undefined) {
      const { people, isComplete, includesEverybody } = await access.listRoleHolders(
        workspace,
        'manager',
        project,
      );
      if (people.length > 0 || isComplete) return people;
      if (!includesEverybody) return undefined;
    }
    const owners = await access.listOwners(workspace);
    return owners === 'unknown' ? undefined : owners;
  };
  const findExcludedGuests: SubmissionOptions['findExcludedGuests'] = async (
    client,
    { project, ...place },
  ) => {
    const policy = await findPolicy(db, { workspace: place.workspace, project });
    return keepsGuestsOut(policy) ? access.findGuests(client, place) : 'no';
  };
  const submissions = createSubmissions({
    db,
    engine,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace,
    log,
    clock,
    findApiClient: findApi,
    isElsewhere,
    connectionCheck: { describe: describeConnection, isCurrent: IS_CONNECTION_CURRENT },
    findSlackClient,
    findManagers,
    findExcludedGuests,
    ...createSendCheck(access, dependencies.record),
    isSwitchedOff: (kind) => kind === fileDeletion.name && !allowFileDeletion,
    notifyOwners: dependencies.notifyPaused,
    onConfirmed: dependencies.onConfirmed,
    onAuthorNotified: dependencies.onAuthorNotified,
    showPost: (...wanted) => readPostOfSubmission(heldPosts, ...wanted),
    takeOutcome: (submission) => takeOutcome(heldPosts, submission),
    takeForReview: (submission) => takeForReview(heldPosts, submission),
    insertPost: insertPostAtOnce,
    findPublication: (submission) => findPublication(db, submission),
  });
  const heldPosts = createHeldPosts({
    ...{ db, engine, submissions, log, clock, findSlackClient },
    kind: postSubmission,
    approvers: access,
    reads: dependencies.reads,
  });
  const checkReadPermission = (actor: Actor, project: string) =>
    access.recheckPermission(actor, 'viewer', project);
  const compose = createComposer({
    checkReadPermission,
    listStoppedProjects: (workspace) => listStoppedProjects(db, workspace),
    readHeldPlan: (query) => listDigestPlan(heldPosts, query),
    readSlots: (query) => readProjectSlots(heldPosts, query),
    log,
  });
  engine.register(
    definePublications({
      ...{ db, submissions, clock, log, findApiClient: findApi, findSlackClient },
      findManagers,
      async showOutcome(client, submission) {
        await updateShownMessage(submissions.context, client, submission);
        await showOutcome(heldPosts, client, submission);
      },
    }),
  );
  return {
    submissions,
    heldPosts,
    imports: createImports({ db, engine, heldPosts, encryption, clock, log, findSlackClient }),
    digests: createDigests({
      ...{ db, engine, encryption, compose, checkReadPermission, log, clock, findApiClient: findApi },
      ...{ findSlackClient, findManagers, findExcludedGuests },
      isIdle: options.sendsDigests === false,
    }),
    engine,
  };
}

/** The options of a bot: the external systems, the settings, and callbacks for metrics. */
export interface BotOptions extends Pick<AppContext, 'db' | 'encryption' | 'isEmulated'> {
  /** The client of the scheduling service in the settings. Only the workspace of the bot token uses this client. */
  api?: ApiClient;
  /** What identifies that service. Defaults to its address. */
  serviceName?: string | undefined;
  /** The service addresses that may be connected from Slack. Defaults to any public address. */
  serviceAddressRules?: ServiceAddressRules;
  /** Called for each call to a service that was connected from Slack. */
  onServiceCall?: ApiClientOptions['onCall'];
  slack: SlackConnection;
  /** Sends the calls of Slack's Web API. Defaults to the network. For simulations. */
  sendToSlack?: SendToSlack;
  log: Log;
  /** Defaults to the database's time. */
  clock?: Clock;
  /** Whether this instance sends digests. Defaults to true. */
  sendsDigests?: boolean;
  /** The address under which everybody reaches this app. Without it, no file is taken from Slack. */
  publicUrl?: string | undefined;
  /** Where files from Slack are stored. Defaults to the database. */
  bucket?: BucketSettings | undefined;
  /** Finds out where a typed link leads. Without it, links are checked by their text only. */
  probeLink?: ProbeLink;
  /** Defaults to false. */
  allowFileDeletion?: boolean;
  /** The owners of a workspace without grants. Defaults to the installer (OAuth) or the owners in Slack (bot token). */
  owners?: FirstOwners;
  /** The role of full members without a role of their own. Defaults to none. */
  membersDefaultRole?: Role | undefined;
  /** Shorter delays for tests. Defaults to PACE. */
  pace?: AppContext['pace'];
  /** Replaces all intervals between scans for what other instances have left, ms. For simulations, in which days pass. */
  scanIntervalMs?: number;
  /** The longest period in which notifications share a message, ms, for tests. Defaults to 5 s. */
  maxGroupMs?: number;
  /** Called for each answer of Slack's Web API. */
  onSlackAnswer?: (answer: SlackAnswer) => void;
  /** Called for each call of the bucket that has failed. */
  onBucketFailure?: () => void;
  /** Called for each request of Slack. */
  onSlackRequest?: Parameters<typeof createTransport>[0]['onSlackRequest'];
  /** `waiting`: current audit entries that wait for the database. `dropped`: entries dropped since the last call. */
  onAuditEntries?: (entries: { waiting: number; dropped: number }) => void;
  /** Rate limits of one member and one workspace. Defaults to RATES. */
  rates?: Rates;
  /** Called for each request that exceeds a rate limit. */
  onRateLimited?: (refused: Pick<ReachedLimit, 'limit' | 'scope'>) => void;
  /** Called when Slack permanently refuses the connection while the bot is running. */
  onFatal?: (reason: Error) => void;
}
