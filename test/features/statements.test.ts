import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Dialect, Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/durations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { type Running, startBot } from '../support/bot.ts';
import { openBotDatabase } from '../support/bot-database.ts';
import { openShownForm, submitFilledForm } from '../support/filled-form.ts';
import { holdPost, reviewedBy } from '../support/hold-posts.ts';
import { countRequestsInFlight, waitUntilIdle } from '../support/requests-in-flight.ts';
import { json } from '../support/scripted-service.ts';
import { ask } from '../support/steps.ts';

/**
 * The statements that a press of each kind takes, until its request ends. Nothing else runs meanwhile: the polls are
 * stopped, and the sweeps of an hour have ended.
 */

/**
 * The only statements that depend on the time: a refresh of Home may be joined with another one, and caches may
 * expire, such as that of roles after five seconds. So a press that reads roles takes one statement more than the table says.
 */
const BY_CLOCK = [
  'select "hash", "opened_at" from "home_tab" where ("workspace" = $1 and "person" = $2)',
  'select * from "credential" where "workspace" = $1 order by "project"',
  'select * from access_grant where workspace = $1 order by granted_at, subject, project',
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
  const policy = { ...DEFAULT_POLICY, ...reviewedBy(BEN), channel: CHANNEL };
  await savePolicy(db, { workspace: 'T01HARBOUR', project: 'p1' }, policy);
  await holdPost(running, { text, at: '2026-11-24T09:00:00Z', policy });
  await as('Ben').sees(text);
}

/** Submits a post whose outcome stays unknown, and lists it. */
async function listUncertainPost(text: string) {
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running, { text });
  await (await ana.modal('Not sure')).close();
  await ask(ana, '/upnext outbox', 'I couldn’t find your post');
  return ana;
}

/** Opens the form for a post, which offers an unfinished one. */
async function openWithOffer(text: string) {
  const { ana, form } = await openShownForm(running, { text });
  await form.close();
  await ask(ana, '/schedule-post', '[Continue]');
  return ana.modal('Schedule a post');
}

const typed = (line: string) => () => as('Ana').type(line);

/** Prepares what isn't counted. Resolves with the press. */
type Prepare = (text: string) => Promise<Press>;

/** What is pressed, its statements and its commits that write. */
const PRESSES: [press: string, statements: number, syncs: number, prepare: Prepare][] = [
  ['/upnext help', 0, 0, async () => typed('/upnext help')],
  [
    '/upnext help, of a person who is seen for the first time',
    ...([0, 0] as const),
    async (text) => {
      const name = text.replaceAll(' ', '-');
      running.workspace.admin.addPerson({ name });
      running.workspace.admin.invite('#general', name);
      return () => running.workspace.as(name).type('/upnext help');
    },
  ],
  ['Home', 13, 3, () => holdTwo().then(() => () => as('Ana').home('Commands'))],
  ['/upnext', 3, 0, () => holdTwo().then(() => typed('/upnext'))],
  ['/upnext posts', 4, 0, () => holdTwo().then(() => typed('/upnext posts'))],
  ['/upnext week', 4, 0, () => holdTwo().then(() => typed('/upnext week'))],
  ['/schedule-post', 3, 2, async () => typed('/schedule-post')],
  ['/schedule-post with a line', 12, 3, async (text) => typed(`/schedule-post 1 dec 9:00 on x: ${text}`)],
  [
    'a line in a direct message',
    ...([4, 3] as const),
    async (text) => {
      const ana = await running.workspace.as('Ana').inDirectMessage();
      return () => ana.type(`schedule 1 dec 9:00 on x: ${text}`);
    },
  ],
  [
    'a change of the time in the form',
    ...([9, 1] as const),
    async (text) => {
      const { form } = await openShownForm(running, { text });
      return () => form.fill('When', '1 Dec 10am');
    },
  ],
  ['[Continue]', 14, 4, (text) => openWithOffer(text).then((form) => () => form.press('Continue'))],
  [
    '[Schedule]',
    6,
    5,
    (text) =>
      openShownForm(running, { text }).then(
        ({ form }) =>
          () =>
            form.submit(),
      ),
  ],
  // One is for whether the policy keeps guests out of the channel.
  ['[Approve]', 18, 2, (text) => holdForReview(text).then(() => () => as('Ben').press('Approve'))],
  [
    '[Check again] in the outbox',
    ...([13, 0] as const),
    (text) => listUncertainPost(text).then((ana) => () => ana.press('Check again')),
  ],
  [
    '[Discard] in the outbox',
    ...([22, 4] as const),
    (text) => listUncertainPost(text).then((ana) => () => ana.press('Discard', { dialog: 'confirm' })),
  ],
];

/** Counts the statements of a press. Only the bot's own work for it runs meanwhile. */
async function count(prepare: Prepare, text: string) {
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

test.each(PRESSES)('%s takes %i statements', async (_press, statements, syncs, prepare) => {
  // The first press finds nothing cached.
  await count(prepare, 'The first post');
  for (const name of ['Ana', 'Ben']) await as(name).topModal()?.close();
  const counted = await count(prepare, 'The second post');
  expect(
    { statements: counted.statements.length, syncs: counted.syncs },
    counted.statements.map((statement) => statement.slice(0, 150)).join('\n'),
  ).toEqual({ statements, syncs });
});

test('another statement in a press is counted, with a commit if it changes a row', async () => {
  const help = typed('/upnext help');
  await count(async () => help, '');
  const { statements, syncs } = await count(async () => help, '');
  const countWith = (more: Press) => count(async () => () => help().then(more), '');
  const more = await countWith(() => sql`select`.execute(db));
  expect([more.statements.length, more.syncs]).toEqual([statements.length + 1, syncs]);
  const deleted = await countWith(() => db.deleteFrom('open_form').where('id', '=', 'none').execute());
  expect([deleted.statements.length, deleted.syncs]).toEqual([statements.length + 1, syncs + 1]);
});

/** Statements in the order in which they were sent, and at most how many commits waited for the disk. */
interface StatementCount {
  statements: string[];
  syncs: number;
}

const CHANGES_ROWS = /\b(?:insert into|(?<!for )update|delete from) \S/u;
/** A statement with this setting returns before its commit is on the disk. */
const WITHOUT_SYNC = 'synchronous_commit';

/**
 * Records the statements that are sent through a dialect, also those of transactions. `countRequestsInFlight` must be
 * called before the bot starts.
 */
function createStatementLog(dialect: Dialect, isIgnored: (statement: string) => boolean) {
  let sent: string[] = [];
  const running = new Set<Promise<unknown>>();
  function record<Result>(statement: string, send: () => Promise<Result>): Promise<Result> {
    sent.push(statement.replace(/\s+/gu, ' ').trim());
    const sending = send();
    running.add(sending);
    const end = () => running.delete(sending);
    void sending.then(end, end);
    return sending;
  }
  const recordingDialect: Dialect = {
    ...dialect,
    createDriver() {
      const driver = dialect.createDriver();
      const acquireConnection = driver.acquireConnection.bind(driver);
      const beginTransaction = driver.beginTransaction.bind(driver);
      const commitTransaction = driver.commitTransaction.bind(driver);
      const recording: Pick<typeof driver, 'acquireConnection' | 'beginTransaction' | 'commitTransaction'> = {
        async acquireConnection() {
          const connection = await acquireConnection();
          return {
            executeQuery: (query) => record(query.sql, () => connection.executeQuery(query)),
            streamQuery: connection.streamQuery.bind(connection),
          };
        },
        beginTransaction: (...options) => record('begin', () => beginTransaction(...options)),
        commitTransaction: (connection) => record('commit', () => commitTransaction(connection)),
      };
      return Object.assign(driver, recording);
    },
  };
  /** Resolves when neither a request nor a statement is in flight. */
  async function waitForEnd(): Promise<void> {
    do {
      await waitUntilIdle();
      await Promise.allSettled(running);
      // Whatever waited for the last statement sends the next one in the same turn.
      await nextTurn();
    } while (running.size > 0);
  }
  return {
    dialect: recordingDialect,
    /** Counts the statements from the beginning of a press until nothing is in flight. */
    async count(press: () => Promise<unknown>): Promise<StatementCount> {
      await waitForEnd();
      sent = [];
      await press();
      await waitForEnd();
      const statements = sent.filter((statement) => !isIgnored(statement));
      return { statements, syncs: countSyncs(statements) };
    },
  };
}

function countSyncs(statements: readonly string[]): number {
  let [count, isInTransaction, hasChanged] = [0, false, false];
  for (const statement of statements) {
    const changesRows = CHANGES_ROWS.test(statement) && !statement.includes(WITHOUT_SYNC);
    if (statement === 'begin') [isInTransaction, hasChanged] = [true, false];
    else if (statement === 'commit') {
      isInTransaction = false;
      if (hasChanged) count += 1;
    } else if (isInTransaction) hasChanged ||= changesRows;
    else if (changesRows) count += 1;
  }
  return count;
}
