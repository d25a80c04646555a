import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type BotDatabase, type BotTestOptions, openBotDatabase, type Running, startBot } from './bot.ts';

export interface BotFixture {
  /** The database of this file's tests. */
  database: Pick<BotDatabase, 'db'>;
  /** The bot that was started last. Before one is started, reading anything of it throws. */
  running: Running;
  /** Starts a bot on an emptied database. */
  startBot(options?: Omit<BotTestOptions, 'db'>): Promise<Running>;
}

/**
 * What the tests of a feature need, for one file: opens a database before the tests, and closes everything. A bot that a
 * test or a `beforeEach` started is closed after that test, one that a `beforeAll` started after the file's tests.
 *
 *   const { running, startBot } = setUpBot();
 *   beforeEach(() => startBot({ membersDefaultRole: 'manager' }));
 */
export function setUpBot(): BotFixture {
  let database: BotDatabase | undefined;
  let current: Running | undefined;
  let isInTest = false;
  let lastsOneTest = false;
  const opened = () => present(database, 'the database is not open yet');
  const started = () => present(current, 'no bot was started');
  const close = async () => {
    const closing = current;
    current = undefined;
    await closing?.close();
  };

  beforeAll(async () => {
    database = await openBotDatabase();
  });
  beforeEach(() => {
    isInTest = true;
  });
  afterEach(async () => {
    isInTest = false;
    if (lastsOneTest) await close();
  });
  afterAll(async () => {
    await close();
    await database?.close();
  });

  return {
    database: {
      get db() {
        return opened().db;
      },
    },
    running: {
      get workspace() {
        return started().workspace;
      },
      get service() {
        return started().service;
      },
      get bot() {
        return started().bot;
      },
      get db() {
        return started().db;
      },
      get logged() {
        return started().logged;
      },
      get url() {
        return started().url;
      },
      close,
    },
    async startBot(options) {
      await close();
      lastsOneTest = isInTest;
      current = await startBot({ db: opened().db, ...options });
      return current;
    },
  };
}

function present<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
