import { performance } from 'node:perf_hooks';
import type { Logger } from '@slack/bolt';
import { createAccess, createRecord, foldRepeats } from '../access/access.ts';
import { createCachedReads } from '../api/cached-reads.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import { createComposer } from '../digests/content/create-composer.ts';
import { createDigests } from '../digests/digests.ts';
import { fileDeletion } from '../features/files/files.ts';
import { maySend } from '../features/roles/narrowed-context.ts';
import { createPermission } from '../features/roles/permission.ts';
import { welcomeMessage } from '../features/welcome/welcome.ts';
import type { Actor } from '../slack/actor.ts';
import { createClientOptions, type WorkTracker } from '../slack/bolt/bolt.ts';
import { listBotScopes } from '../slack/scopes.ts';
import { PACE } from '../submissions/pace.ts';
import { createSubmissions } from '../submissions/submissions.ts';
import { createWorkspaces, firstOwners } from '../workspaces/workspaces.ts';
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
    release: (workspace) => digests.release(workspace),
  });
  const { directory, departures, retention, services, slackFor, notifyPaused, access, record } = tenancy;
  const permission = createPermission(features);
  const updateHome = createHomeUpdate({
    log: options.log,
    now,
    slackFor,
    contextFor: async (actor) => ({ ...context, ...(await ownContextFor(actor)) }),
    permission,
  });
  const { submissions, digests } = createDeliveries(defaulted, {
    ...{ services, slackFor, notifyPaused, access, record },
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
    const own = await services.of(workspace);
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
  const written = createRecord({
    db,
    encryption,
    now,
    onError: (error, about) =>
      log.warn({ ...about, err: error }, 'could not write audit entries, retrying later'),
    onDropped: (entries) => log.error({ entries }, 'audit entries dropped, the queue is full'),
    ...(options.onAuditEntries && { onCount: options.onAuditEntries }),
  });
  const record = foldRepeats(written, { clock: () => performance.now() });
  const workspaces = createWorkspaces({
    slack,
    clientOptions: createClientOptions(slack.apiUrl, at.logger),
    scopes: Object.keys(listBotScopes(features)),
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
    ownersOf: (workspace) => access.ownersOf(workspace),
  });
  const access = createAccess({
    db,
    owners: options.owners ?? firstOwners(slack.kind, workspaces.directory),
    membersDefaultRole: options.membersDefaultRole,
    slackFor: workspaces.slackFor,
    now,
    onError: (error) => log.warn({ err: error }, 'permission lookup failed'),
  });
  return { ...workspaces, access, record };
}

type Tenancy = ReturnType<typeof createTenancy>;

/** Creates the two deliveries: submissions and digests. */
function createDeliveries(
  options: DefaultedOptions,
  at: Pick<Tenancy, 'services' | 'slackFor' | 'notifyPaused' | 'access' | 'record'> & {
    onEnded(actor: Actor): void;
  },
) {
  const { db, encryption, practice, log, now, pace, allowFileDeletion } = options;
  const { slackFor, access } = at;
  const { apiFor } = at.services;
  const submissions = createSubmissions({
    db,
    encryption,
    kinds: features.flatMap((feature) => feature.submissions ?? []),
    pace,
    practice,
    log,
    now,
    apiFor,
    slackFor,
    may: maySend(access, at.record),
    isOff: (kind) => kind === fileDeletion.name && !allowFileDeletion,
    notifyOwners: at.notifyPaused,
    ended: at.onEnded,
  });
  const compose = createComposer({
    authorOf: submissions.authorOf,
    mayRead: (actor, project) => access.mayStill(actor, 'viewer', project),
    practice,
    log,
  });
  return {
    submissions,
    digests: createDigests({
      ...{ db, encryption, compose, log, now, apiFor, slackFor },
      // Both measure leases by the database clock, because the clocks of two instances may differ by minutes.
      clock: submissions.machine.clock,
    }),
  };
}
