import { Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/durations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { NOW, type Running, startBot } from '../support/bot.ts';
import { openBotDatabase } from '../support/bot-database.ts';
import { openFilledForm } from '../support/filled-form.ts';
import { holdPost } from '../support/hold-posts.ts';
import { countRequestsInFlight } from '../support/requests-in-flight.ts';
import { json } from '../support/scripted-service.ts';
import { createStatementLog } from '../support/statement-log.ts';
import { ask } from '../support/steps.ts';

/**
 * The statements that a press of each kind takes, until its request ends. Nothing else runs meanwhile: the polls are
 * stopped, and the sweeps of an hour have ended.
 */

/** The only statements that depend on the time: a refresh of Home may be joined with another one, and a cache may expire. */
const BY_CLOCK = [
  'select "hash" from "home_tab" where ("workspace" = $1 and "person" = $2) and "opened_at" > $3',
  'select * from "credential" where "workspace" = $1 order by "project"',
];

const database = await openBotDatabase();
const log = createStatementLog(database.dialect(), (statement) => BY_CLOCK.includes(statement));
const db = new Kysely<BotSchema>({ dialect: log.dialect });
let running: Running;
beforeEach(async () => {
  countRequestsInFlight();
  const pace = { reconcileDelaysMs: [10], notificationDelayMs: 500 };
  running = await startBot({ db, pace, scanIntervalMs: HOUR_MS });
  // A second delivery of an event has a statement of its own.
  running.workspace.faults.set({});
});
afterEach(() => running.close());
afterAll(() => database.close());

type Press = () => Promise<unknown>;
const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
const [BEN, CHANNEL] = ['U02BENOKAF', 'C02HARBOUR'];

/** Holds two posts of Harbour Coffee. */
async function holdTwo() {
  for (const at of ['2026-11-24T09:00:00Z', '2026-11-25T09:00:00Z'])
    await holdPost(running, { text: 'We open at nine', at });
}

async function holdForReview(text: string) {
  const policy = {
    ...DEFAULT_POLICY,
    ...{ leadMinutes: 60, review: 'required' as const, channel: CHANNEL },
    reviewSteps: [{ approvers: [{ kind: 'person' as const, id: BEN }], needs: 'any' as const }],
  };
  const change = { changedBy: 'U01ANAFERR', changedAt: NOW };
  await savePolicy(db, { workspace: 'T01HARBOUR', project: 'p1' }, policy, change);
  await holdPost(running, { text, at: '2026-11-24T09:00:00Z', policy });
  await as('Ben').sees(text);
}

/** Submits a post whose outcome stays unknown, and lists it. */
async function listUncertainPost(text: string) {
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana, form } = await openFilledForm(running, { text });
  await form.submit();
  await (await ana.modal('Not sure')).close();
  await ask(ana, '/upnext outbox', 'I couldn’t find your post');
  return ana;
}

/** Opens the form for a post, which offers an unfinished one. */
async function openWithOffer(text: string) {
  const { ana, form } = await openFilledForm(running, { text });
  await ana.sees('Tue 1 Dec, 09:00');
  await form.close();
  await ana.type('/schedule-post');
  await ana.sees('[Continue]');
  return ana.modal('Schedule a post');
}

interface PressKind {
  press: string;
  /** Prepares what isn't counted. Resolves with the press. */
  prepare(text: string): Promise<Press>;
  statements: number;
  syncs: number;
}

const PRESSES: readonly PressKind[] = [
  {
    press: '/upnext help',
    prepare: async () => () => as('Ana').type('/upnext help'),
    ...{ statements: 0, syncs: 0 },
  },
  {
    press: '/upnext help, of a person who is seen for the first time',
    async prepare(text) {
      const name = text.replaceAll(' ', '-');
      running.workspace.admin.addPerson({ name });
      running.workspace.admin.invite('#general', name);
      return () => running.workspace.as(name).type('/upnext help');
    },
    ...{ statements: 0, syncs: 0 },
  },
  {
    press: 'Home',
    async prepare() {
      await holdTwo();
      return () => as('Ana').home('Commands');
    },
    ...{ statements: 13, syncs: 3 },
  },
  {
    press: '/upnext',
    async prepare() {
      await holdTwo();
      return () => as('Ana').type('/upnext');
    },
    ...{ statements: 3, syncs: 0 },
  },
  {
    press: '/upnext posts',
    async prepare() {
      await holdTwo();
      return () => as('Ana').type('/upnext posts');
    },
    ...{ statements: 4, syncs: 0 },
  },
  {
    press: '/upnext week',
    async prepare() {
      await holdTwo();
      return () => as('Ana').type('/upnext week');
    },
    ...{ statements: 4, syncs: 0 },
  },
  {
    press: '/schedule-post',
    prepare: async () => () => as('Ana').type('/schedule-post'),
    ...{ statements: 4, syncs: 2 },
  },
  {
    press: '/schedule-post with a line',
    prepare: async (text) => () => as('Ana').type(`/schedule-post 1 dec 9:00 on x: ${text}`),
    ...{ statements: 11, syncs: 3 },
  },
  {
    press: 'a line in a direct message',
    async prepare(text) {
      const ana = await running.workspace.as('Ana').inDirectMessage();
      return () => ana.type(`schedule 1 dec 9:00 on x: ${text}`);
    },
    ...{ statements: 5, syncs: 3 },
  },
  {
    press: 'a change of the time in the form',
    async prepare(text) {
      const { ana, form } = await openFilledForm(running, { text });
      await ana.sees('Tue 1 Dec, 09:00');
      return () => form.fill('When', '1 Dec 10am');
    },
    ...{ statements: 8, syncs: 1 },
  },
  {
    press: '[Continue]',
    async prepare(text) {
      const form = await openWithOffer(text);
      return () => form.press('Continue');
    },
    ...{ statements: 15, syncs: 4 },
  },
  {
    press: '[Schedule]',
    async prepare(text) {
      const { ana, form } = await openFilledForm(running, { text });
      await ana.sees('Tue 1 Dec, 09:00');
      return () => form.submit();
    },
    ...{ statements: 6, syncs: 4 },
  },
  {
    press: '[Approve]',
    async prepare(text) {
      await holdForReview(text);
      return () => as('Ben').press('Approve');
    },
    ...{ statements: 17, syncs: 1 },
  },
  {
    press: '[Check again] in the outbox',
    async prepare(text) {
      const ana = await listUncertainPost(text);
      return () => ana.press('Check again');
    },
    ...{ statements: 7, syncs: 0 },
  },
  {
    press: '[Discard] in the outbox',
    async prepare(text) {
      const ana = await listUncertainPost(text);
      return () => ana.press('Discard', { dialog: 'confirm' });
    },
    ...{ statements: 9, syncs: 1 },
  },
];

/** Counts the statements of a press. Only the bot's own work for it runs meanwhile. */
async function count({ prepare }: Pick<PressKind, 'prepare'>, text: string) {
  const { bot, workspace } = running;
  bot.engine.start();
  const press = await prepare(text);
  await bot.engine.stop();
  const earlierCount = workspace.app.requests().length;
  return log.count(async () => {
    await press();
    const listOutcomes = () =>
      workspace.app
        .requests()
        .slice(earlierCount)
        .map(({ outcome }) => outcome);
    await expect.poll(() => listOutcomes().length > 0 && !listOutcomes().includes('waiting')).toBe(true);
  });
}

test.each(PRESSES)('$press takes $statements statements', async ({ prepare, statements, syncs }) => {
  // The first press finds nothing cached.
  await count({ prepare }, 'The first post');
  for (const name of ['Ana', 'Ben']) await as(name).topModal()?.close();
  const counted = await count({ prepare }, 'The second post');
  expect(
    { statements: counted.statements.length, syncs: counted.syncs },
    counted.statements.map((statement) => statement.slice(0, 150)).join('\n'),
  ).toEqual({ statements, syncs });
});

test('another statement in a press is counted, with a commit if it changes a row', async () => {
  const help = () => as('Ana').type('/upnext help');
  await count({ prepare: async () => help }, '');
  const { statements, syncs } = await count({ prepare: async () => help }, '');
  const readMore = async () => {
    await help();
    await sql`select`.execute(db);
  };
  const deleteMore = async () => {
    await help();
    await db.deleteFrom('open_form').where('id', '=', 'none').execute();
  };
  const more = await count({ prepare: async () => readMore }, '');
  expect([more.statements.length, more.syncs]).toEqual([statements.length + 1, syncs]);
  const deleted = await count({ prepare: async () => deleteMore }, '');
  expect([deleted.statements.length, deleted.syncs]).toEqual([statements.length + 1, syncs + 1]);
});
