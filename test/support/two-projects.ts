import type { Kysely } from 'kysely';
import { type Role, saveGrant } from '../../src/access/access.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { NOW } from './bot.ts';
import { listProjects } from './scripted-service.ts';
import type { BotFixture } from './set-up-bot.ts';

/** The emulated workspace, and two people in it. */
const WORKSPACE = 'T01HARBOUR';
const ANA_ID = 'U01ANAFERR';
const BEN_ID = 'U02BENOKAF';

/** Starts a bot whose service has two projects, Harbour Coffee (p1) and Night Market Books (p2). */
export async function startWithTwoProjects(
  startBot: BotFixture['startBot'],
  options?: Parameters<BotFixture['startBot']>[0],
) {
  const startedBot = await startBot(options);
  startedBot.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  return startedBot;
}

/** Gives Ben a role in a project. */
export async function grantBen(db: Kysely<BotSchema>, role: Role, project: string): Promise<void> {
  await saveGrant(db, {
    workspace: WORKSPACE,
    subjectKind: 'person',
    subject: BEN_ID,
    project,
    role,
    reason: 'given',
    grantedBy: ANA_ID,
    grantedAt: NOW,
  });
}

/** Revokes Ben's role in a project. */
export async function revokeBen(db: Kysely<BotSchema>, project: string): Promise<void> {
  await db.deleteFrom('access_grant').where('subject', '=', BEN_ID).where('project', '=', project).execute();
}
