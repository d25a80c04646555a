import { performance } from 'node:perf_hooks';
import type { Logger } from '@slack/bolt';
import { createAccess, createAuditRecord, foldRepeats } from '../access/access.ts';
import { createCachedReads } from '../api/cached-reads.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import { createComposer } from '../digests/content/create-composer.ts';
import { createDigests } from '../digests/digests.ts';
import { fileDeletion } from '../features/files/files.ts';
import { maySend } from '../features/roles/narrowed-context.ts';
import { createPermission } from '../features/roles/permission.ts';
import { welcomeMessage } from '../features/welcome/welcome.ts';
import type { Actor } from '../slack/actor.ts';
import { clientOptionsFor, type WorkTracker } from '../slack/bolt/bolt.ts';
import { botScopes } from '../slack/scopes.ts';
import { PACE } from '../submissions/pace.ts';
import { createSubmissions } from '../submissions/submissions.ts';
import { createFirstOwners, createWorkspaces } from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import type { AppContext } from './context.ts';
import { features } from './features.ts';
import { createHomeUpdate } from './home-update.ts';

/** Creates the parts of the app and connects them. */
export function createContext(options: BotOptions, around: { logger: Logger; work: WorkTracker }) {
  const { db, encryption, practice, now = () => new Date() } = options;
  const { pace = PACE, allowFileDeletion = false } = options;
  const defaulted = { ...options, pace, allowFileDeletion, now };
  const tenancy = createTenancy(defaulted, {
    logger: around.logger,
    release: (workspace) => digests.wakeNotifications(workspace),
  });
  const { directory, departures, retention, services, findSlackClient, notifyPaused, access, record } =
    tenancy;
  const permission = createPermission(features);
  const updateHome = createHomeUpdate({
    log: options.log,
    now,
    slackFor: findSlackClient,
    contextFor: async (actor) => ({ ...context, ...(await ownContextFor(actor)) }),
    permission,
  });
  const { submissions, digests } = createDeliveries(defaulted, {
    ...{ services, findSlackClient, notifyPaused, access, record },
    onEnded: (actor) =>
      void around.work
        .add(updateHome(actor))
        .catch((error) => options.log.warn({ err: error }, 'could not refresh Home')),
  });
  const context: AppContext = {
    api: createUnavailableClient('not-connected'),
    services,
    reads: createCachedReads(),
    db,
    encryption,
    practice,
    allowFileDeletion,
    pace,
    submissions,
    digests,
    access,
    record,
  };
  const ownContextFor = async ({ workspace }: Actor) => {
    const own = await services.resolveService(workspace);
    return { api: own.api, practice: practice && own.isDefault };
  };
  return { context, ownContextFor, directory, departures, retention, permission };
}

type DefaultedOptions = BotOptions & Required<Pick<BotOptions, 'pace' | 'allowFileDeletion' | 'now'>>;

/** Creates the workspaces, access control and the audit record. */
function createTenancy(
  options: DefaultedOptions,
  at: { logger: Logger; release(workspace: string): Promise<void> },
) {
  const { slack, log, db, api, encryption, now } = options;
  const written = createAuditRecord({
    db,
    encryption,
    now,
    onError: (error, about) =>
      log.warn({ ...about, err: error }, 'could not write audit entries, retrying later'),
    onDropped: (entries) => log.error({ entries }, 'audit entries dropped, the queue is full'),
    ...(options.onAuditEntries && { onQueueChange: options.onAuditEntries }),
  });
  const record = foldRepeats(written, { clock: () => performance.now() });
  const workspaces = createWorkspaces({
    slack,
    clientOptions: clientOptionsFor(slack.apiUrl, at.logger),
    scopes: Object.keys(botScopes(features)),
    api,
    access: options.serviceAccess ?? { allowPrivate: false },
    onCall: options.onServiceCall,
    db,
    encryption,
    log,
    now,
    welcome: welcomeMessage(features),
    record: record.enqueue,
    onInstalled: at.release,
    listOwners: (workspace) => access.listOwners(workspace),
  });
  const access = createAccess({
    db,
    owners: options.owners ?? createFirstOwners(slack.kind, workspaces.directory),
    membersDefaultRole: options.membersDefaultRole,
    findSlackClient: workspaces.findSlackClient,
    now,
    onError: (error) => log.warn({ err: error }, 'permission lookup failed'),
  });
  return { ...workspaces, access, record };
}

type Tenancy = ReturnType<typeof createTenancy>;

/** Creates the two deliveries: submissions and digests. */
function createDeliveries(
  options: DefaultedOptions,
  at: Pick<Tenancy, 'services' | 'findSlackClient' | 'notifyPaused' | 'access' | 'record'> & {
    onEnded(actor: Actor): void;
  },
) {
  const { db, encryption, practice, log, now, pace, allowFileDeletion } = options;
  const { findSlackClient, access } = at;
  const { findApi } = at.services;
  const submissions = createSubmissions({
    db,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace,
    isEmulated: practice,
    log,
    now,
    apiFor: findApi,
    slackFor: findSlackClient,
    checkPermission: maySend(access, at.record),
    isSwitchedOff: (kind) => kind === fileDeletion.name && !allowFileDeletion,
    notifyOwners: at.notifyPaused,
    onEnded: at.onEnded,
  });
  const compose = createComposer({
    findAuthor: submissions.findAuthor,
    mayRead: (actor, project) => access.recheckPermission(actor, 'viewer', project),
    isEmulated: practice,
    log,
  });
  return {
    submissions,
    digests: createDigests({
      ...{ db, encryption, compose, log, now, findApiClient: findApi, findSlackClient },
      // Both measure leases by the database clock, because the clocks of two instances may differ by minutes.
      clock: submissions.machine.clock,
    }),
  };
}
