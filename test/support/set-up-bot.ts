import type { SlackFaultPlan } from 'slack-workspace-emulator';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { DEFAULT_POLICY, type ProjectPolicy, savePolicy } from '../../src/preferences/project-policy.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { type BotTestOptions, type Running, startBot } from './bot.ts';
import { type BotDatabase, openBotDatabase } from './bot-database.ts';

/**
 * Leaves a receipt four times as long as in production, because on a busy machine the first request of a process takes
 * seconds.
 */
export const RECEIPT_PACE = {
  acknowledgementTimeoutMs: 4 * PACE.acknowledgementTimeoutMs,
};

/** Retries that come soon, but leave time to read the message about the first attempt. */
export const FAST_RETRIES = {
  scanIntervalMs: 50,
  retryBackoff: { firstMs: 400, maxMs: 400 },
  breaker: { failures: 5, firstMs: 100, maxMs: 100 },
};

type Person = ReturnType<Running['workspace']['as']>;

export interface BotFixture {
  /** The database of the tests in this file. */
  database: Pick<BotDatabase, 'db'>;
  /** The bot that was started last. Throws if none was started. */
  running: Running;
  /** Ana and Ben of the bot that was started last. In each test they begin in #harbour-coffee. */
  ana: Person;
  ben: Person;
  /** Starts a bot on an emptied database. */
  startBot(options?: Omit<BotTestOptions, 'db'>): Promise<Running>;
  /** Stores the policy of a project in the emulated workspace. Other settings have their defaults. */
  setPolicy(policy: Partial<ProjectPolicy>, project?: string): Promise<void>;
}

/**
 * Sets up the fixture for the tests of a feature. Opens a database before the tests of a file, and closes everything
 * afterwards. A bot from a test or a `beforeEach` is closed after that test, a bot from a `beforeAll` after all tests.
 *
 *   const { ana, running } = setUpBot({ membersDefaultRole: 'manager' });
 *
 * With options, a bot is started before each test. Without, the tests start theirs.
 */
export function setUpBot(options?: Omit<BotTestOptions, 'db'>): BotFixture {
  let database: BotDatabase | undefined;
  let currentBot: Running | undefined;
  let isInTest = false;
  let closesAfterTest = false;
  const getDatabase = () => assertPresent(database, 'the database is not open yet');
  const getBot = () => assertPresent(currentBot, 'no bot was started');
  /** The people who have gone to their channel since their test, or its bot, started. */
  const placed = new Map<string, Person>();
  const createPerson = (name: string) =>
    new Proxy({} as Person, {
      get(_target, key) {
        const person = placed.get(name) ?? getBot().workspace.as(name).in('#harbour-coffee');
        placed.set(name, person);
        const value: unknown = Reflect.get(person, key, person);
        return typeof value === 'function' ? value.bind(person) : value;
      },
    });
  const close = async () => {
    const bot = currentBot;
    currentBot = undefined;
    await bot?.close();
  };

  beforeAll(async () => {
    database = await openBotDatabase();
  });
  beforeEach(() => {
    isInTest = true;
    placed.clear();
  });
  afterEach(async ({ task }) => {
    isInTest = false;
    // The app's own account of what went wrong.
    if (task.result?.state === 'fail') console.log(currentBot?.logged.join('\n'));
    if (closesAfterTest) await close();
  });
  afterAll(async () => {
    await close();
    await database?.close();
  });

  const fixture: BotFixture = {
    database: {
      get db() {
        return getDatabase().db;
      },
    },
    running: {
      get workspace() {
        return getBot().workspace;
      },
      get service() {
        return getBot().service;
      },
      get bot() {
        return getBot().bot;
      },
      get settings() {
        return getBot().settings;
      },
      get db() {
        return getBot().db;
      },
      get logged() {
        return getBot().logged;
      },
      get url() {
        return getBot().url;
      },
      close,
    },
    ana: createPerson('Ana'),
    ben: createPerson('Ben'),
    async startBot(startOptions) {
      await close();
      placed.clear();
      closesAfterTest = isInTest;
      currentBot = await startBot({ db: getDatabase().db, ...startOptions });
      return currentBot;
    },
    async setPolicy(policy, project = 'p1') {
      await savePolicy(
        getDatabase().db,
        { workspace: 'T01HARBOUR', project },
        { ...DEFAULT_POLICY, ...policy },
      );
    },
  };
  if (options) beforeEach(() => fixture.startBot(options));
  return fixture;
}

function assertPresent<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new Error(message);
  return value;
}

/** Makes these calls to Slack fail, in place of those that failed before. */
export function failSlack(
  { workspace }: Pick<Running, 'workspace'>,
  fault: NonNullable<SlackFaultPlan['webApi']>[number],
): void {
  workspace.faults.set({ webApi: [fault] });
}
