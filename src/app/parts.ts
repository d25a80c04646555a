import { randomUUID } from 'node:crypto';
import type { Logger } from '@slack/bolt';
import { createAccess } from '../access/access.ts';
import { createRecord } from '../access/record/record.ts';
import { noClient } from '../api/no-client.ts';
import { createRememberedReads } from '../api/remembered-reads.ts';
import { createCompose } from '../digests/composed/create-compose.ts';
import { createDigests } from '../digests/digests.ts';
import { fileDeletion } from '../features/files/file-deletion.ts';
import { refreshHome } from '../features/home/refresh-home.ts';
import { maySend } from '../features/roles/may-send.ts';
import { createPermission } from '../features/roles/permission.ts';
import { welcomeMessage } from '../features/welcome/welcome.ts';
import { clientOptionsFor } from '../slack/bolt/transport.ts';
import type { UnderWay } from '../slack/bolt/under-way.ts';
import type { Asker } from '../slack/feature.ts';
import { botScopes } from '../slack/scopes.ts';
import { PACE } from '../submissions/pace.ts';
import { createSubmissions } from '../submissions/submissions.ts';
import { firstOwners } from '../workspaces/presence.ts';
import { createWorkspaces } from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import { type BotParts, features } from './features.ts';

/** What the bot works with, each part given those that it needs. */
export function createParts(options: BotOptions, { logger, work }: { logger: Logger; work: UnderWay }) {
  const { slack, log, db, api, encryption, practice, now = () => new Date() } = options;
  const { pace = PACE, allowFileDeletion = false } = options;
  const { presence, services, slackFor, tellHeld } = createWorkspaces({
    slack,
    clientOptions: clientOptionsFor(slack.apiUrl, logger),
    scopes: Object.keys(botScopes(features)),
    api,
    access: options.serviceAccess ?? { allowPrivate: false },
    onCall: options.onServiceCall,
    db,
    encryption,
    log,
    now,
    welcome: welcomeMessage(features),
    record: (entry) => void record.add(entry),
    installed: (workspace) => digests.release(workspace),
    ownersOf: (workspace) => access.ownersOf(workspace),
  });
  const { apiFor } = services;
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
    may: maySend(access, record),
    isOff: (kind) => kind === fileDeletion.name && !allowFileDeletion,
    tellOwners: tellHeld,
    ended: (who) => void work.add(showAtHome(who)),
  });
  const compose = createCompose({
    authorOf: submissions.authorOf,
    mayRead: (who, project) => access.mayStill(who, 'viewer', project),
    practice,
    log,
  });
  const digests = createDigests({ db, encryption, compose, log, now, apiFor, slackFor });
  const parts: BotParts = {
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
  };
  const ownPartsFor = async ({ workspace }: Asker) => {
    const own = await services.of(workspace);
    return { api: own.api, practice: practice && own.isDefault };
  };
  const permission = createPermission<BotParts>(features);

  /** Something of theirs has ended, and they did nothing just now: Home tells it all the same. */
  async function showAtHome(who: Asker): Promise<void> {
    const reference = randomUUID().slice(0, 8);
    try {
      const client = await slackFor(who.workspace);
      if (!client) return;
      const own = { ...parts, ...(await ownPartsFor(who)) };
      const look = { parts: own, who, client, catalogue: features, log, reference, now };
      const allowed = await permission.narrowed(look, 'viewer');
      if (allowed) await refreshHome(allowed);
    } catch (error) {
      log.warn({ reference, err: error }, 'what is shown elsewhere was not refreshed');
    }
  }

  return { parts, ownPartsFor, presence, permission };
}
