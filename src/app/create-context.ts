import { performance } from 'node:perf_hooks';
import type { Logger } from '@slack/bolt';
import { createAccess, createRecord, foldRepeats } from '../access/access.ts';
import { createUnavailableClient } from '../api/no-client.ts';
import { createCachedReads } from '../api/remembered-reads.ts';
import { createComposer } from '../digests/content/create-composer.ts';
import { createDigests } from '../digests/digests.ts';
import { fileDeletion } from '../features/files/files.ts';
import { maySend } from '../features/roles/may-send.ts';
import { createPermission } from '../features/roles/permission.ts';
import { welcomeMessage } from '../features/welcome/welcome.ts';
import type { Actor } from '../slack/actor.ts';
import { clientOptionsFor, type WorkTracker } from '../slack/bolt/bolt.ts';
import { botScopes } from '../slack/scopes.ts';
import { PACE } from '../submissions/pace.ts';
import { createSubmissions } from '../submissions/submissions.ts';
import { createWorkspaces, firstOwners } from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import type { AppContext } from './context.ts';
import { features } from './features.ts';
import { showAtHome } from './show-at-home.ts';

/** What the bot works with, each part given those that it needs. */
export function createContext(options: BotOptions, around: { logger: Logger; work: WorkTracker }) {
  const { db, encryption, practice, now = () => new Date() } = options;
  const { pace = PACE, allowFileDeletion = false } = options;
  const whole = { ...options, pace, allowFileDeletion, now };
  const people = createPeople(whole, {
    logger: around.logger,
    release: (workspace) => digests.release(workspace),
  });
  const { presence, departures, retention, services, slackFor, tellHeld, access, record } = people;
  const permission = createPermission(features);
  const show = showAtHome({
    log: options.log,
    now,
    slackFor,
    contextFor: async (who) => ({ ...context, ...(await ownContextFor(who)) }),
    permission,
  });
  const { submissions, digests } = createSenders(whole, {
    ...{ services, slackFor, tellHeld, access, record },
    ended: (who) =>
      void around.work
        .add(show(who))
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
  return { context, ownContextFor, presence, departures, retention, permission };
}

type Whole = BotOptions & Required<Pick<BotOptions, 'pace' | 'allowFileDeletion' | 'now'>>;

/** Where the bot is, who is there, and what is recorded of them. */
function createPeople(options: Whole, at: { logger: Logger; release(workspace: string): Promise<void> }) {
  const { slack, log, db, api, encryption, now } = options;
  const written = createRecord({
    db,
    encryption,
    now,
    failed: (error, about) =>
      log.warn({ ...about, err: error }, 'writing the audit record failed, entries wait'),
    dropped: (entries) => log.error({ entries }, 'audit entries dropped, too many wait'),
    ...(options.onAuditEntries && { counted: options.onAuditEntries }),
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
    record: record.note,
    installed: at.release,
    ownersOf: (workspace) => access.ownersOf(workspace),
  });
  const access = createAccess({
    db,
    owners: options.owners ?? firstOwners(slack.kind, workspaces.presence),
    membersDefaultRole: options.membersDefaultRole,
    slackFor: workspaces.slackFor,
    now,
    failed: (error) => log.warn({ err: error }, 'Slack did not say who somebody is'),
  });
  return { ...workspaces, access, record };
}

type People = ReturnType<typeof createPeople>;

/** What sends by itself: what people submitted, and what channels are told. */
function createSenders(
  options: Whole,
  at: Pick<People, 'services' | 'slackFor' | 'tellHeld' | 'access' | 'record'> & {
    ended(who: Actor): void;
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
    tellOwners: at.tellHeld,
    ended: at.ended,
  });
  const compose = createComposer({
    authorOf: submissions.authorOf,
    mayRead: (who, project) => access.mayStill(who, 'viewer', project),
    practice,
    log,
  });
  return {
    submissions,
    digests: createDigests({
      ...{ db, encryption, compose, log, now, apiFor, slackFor },
      // Leases of both are counted by the database's clock: those of two instances may be minutes apart.
      clock: submissions.machine.clock,
    }),
  };
}
