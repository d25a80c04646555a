import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { createCallRecorder } from '../support/called-functions.ts';
import { listTables } from '../support/empty-tables.ts';
import { createRandom } from '../support/random.ts';
import { createContents } from './contents.ts';
import { createExplorer } from './explorer.ts';
import { createHostilePayload, PayloadRecorder } from './hostile-payloads.ts';
import {
  findBadWording,
  findFailures,
  findMarkup,
  findRefusedPayloads,
  findSecrets,
  findSlowness,
} from './oracles.ts';
import { buildRequest } from './surface-request.ts';
import { TESTED_ELSEWHERE } from './tested-elsewhere.ts';
import { getPersonId, getWorkspaceId, type Result } from './world.ts';

/**
 * An owner visits every command, button, form, option, shortcut and event with all kinds of stored data and typed text:
 * first with valid requests, then as people do, who type commands, press what they are shown and fill in forms.
 */

/** Bad text after a command, as it reaches the app. */
const BAD_COMMANDS: readonly (readonly [name: string, text: string])[] = [
  ['empty', ''],
  ['only spaces', '     '],
  ['100 kB', 'posts '.repeat(17_000)],
  ['NUL', 'pos\u0000ts'],
  // Form encoding can't represent an unpaired surrogate, so the replacement character arrives.
  ['unpaired surrogate', 'posts \ud83d'],
  ['right-to-left override', '\u202estsop'],
  ['zero-width characters in the subcommand', 'po\u200bs\u200dt\ufeffs'],
  ['look-alike letters', 'роsts'],
  ['curly quotes', '“Harbour Coffee” ‘posts’'],
  ['an unclosed quote', 'use "Harbour Coffee'],
  ['__proto__', '__proto__'],
  ['../ and %2F in an id', '../../p2/users%2Fu1'],
  ['another workspace’s project', '6f1d2c3b-0000-4000-8000-another-workspace'],
  ['<!channel>', '<!channel>'],
  ['<@U…>', '<@U01ANAFERR>'],
  ['<http://evil|good>', '<http://evil|good>'],
  ['newlines', 'posts\n\n\r\ndrafts\n'],
  [
    'strings that make regular expressions slow',
    `${'a '.repeat(5_000)}!${'9am '.repeat(2_000)}${'('.repeat(5_000)}`,
  ],
];

const SEED = 20_261_120;
const CONTENTS = createContents(SEED);
/** What `src/access/encryption.ts` writes. */
const ENCRYPTED = /v1:[\w-]+:[A-Za-z0-9+/]+=*/g;
const functions = createCallRecorder();
const payloads = new PayloadRecorder();
let database: BotDatabase;
let explorer: Awaited<ReturnType<typeof createExplorer>>;

beforeAll(async () => {
  await functions.start();
  database = await openBotDatabase();
  explorer = await createExplorer(database.db, CONTENTS, (line) => {
    for (const secret of findSecrets(inspect(line, { depth: 10 }))) loggedSecrets.add(secret);
  });
});
afterAll(async () => {
  functions.stop();
  await explorer.close();
  await database.close();
});

const calledFunctions = new Set<string>();
const shownIds = new Set<string>();
const loggedSecrets = new Set<string>();

/** Lets a person see what the app shows with this content. Returns the faults. */
async function findFaults(
  content: string,
  findMore: (result: Result) => readonly string[] = () => [],
): Promise<string[]> {
  const faults = new Set<string>();
  await explorer.explore(content, (body, result) => {
    payloads.add(body);
    for (const [id] of JSON.stringify(result.sent).matchAll(/EVIL\d+/g)) shownIds.add(id);
    for (const find of [findFailures, findShownFaults, findMore])
      for (const fault of find(result))
        faults.add(`${fault.slice(0, 1_000)} after ${JSON.stringify(body).slice(0, 300)}`);
  });
  for (const called of await functions.takeCalledFunctions()) calledFunctions.add(called);
  return [...faults];
}

const findShownFaults = ({ sent }: Result) => [...findRefusedPayloads(sent), ...findMarkup(sent)];

test('Slack accepts everything with short texts, and people can read it', async () => {
  expect(await findFaults('short texts', ({ sent }) => findBadWording(sent))).toEqual([]);
});

test.each(Object.keys(CONTENTS).filter((name) => name !== 'short texts'))(
  'Slack accepts everything with %s, and no text from people becomes markup',
  async (name) => {
    expect(await findFaults(name)).toEqual([]);
  },
);

test('hostile texts were shown, but neither they nor tokens are in the log or readable in the database', async () => {
  expect(shownIds.size).toBeGreaterThan(100);
  const filledTables: string[] = [];
  const faults: string[] = [];
  for (const table of await listTables(database.db)) {
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(database.db);
    if (rows.length > 0) filledTables.push(table);
    // Of millions of encrypted characters, some spell any short word.
    const readable = rows.map(({ row }) => row.replaceAll(ENCRYPTED, '')).join();
    for (const secret of findSecrets(readable)) faults.push(`${secret} in ${table}`);
  }
  expect(faults).toEqual([]);
  expect(filledTables.length).toBeGreaterThan(10);
  expect([...loggedSecrets]).toEqual([]);
});

describe('bad text after a command', () => {
  const commands = features.flatMap((feature) => feature.commands);
  const lines = [
    { surface: 'command', id: '' },
    ...commands.map(({ name }) => ({ surface: 'command', id: name })),
    ...commands.flatMap(({ slashCommand }) =>
      slashCommand ? [{ surface: 'own command', id: slashCommand }] : [],
    ),
  ];

  test.each(BAD_COMMANDS)(
    '%s is answered in time after any command, and changes nothing',
    async (_name, text) => {
      const service = explorer.world.services.get(getWorkspaceId(1));
      const earlierCallCount = service?.calls.length ?? 0;
      const faults: string[] = [];
      for (const line of lines) {
        const source = { workspaceNumber: 1, user: getPersonId(1), channel: 'C1' };
        const result = await explorer.world.deliver(buildRequest(source, { ...line, text }));
        for (const find of [findFailures, findShownFaults, findSlowness])
          faults.push(...find(result).map((fault) => `${line.id}: ${fault}`));
      }
      expect(faults).toEqual([]);
      const writes = service?.calls.slice(earlierCallCount).filter(({ method }) => method !== 'GET');
      expect(writes).toEqual([]);
    },
  );
});

test('the app answers every payload of a modified client, and never only with an error reference', async () => {
  const random = createRandom(SEED);
  const recorded = payloads.list();
  expect(recorded.length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (let count = 0; count < 500; count += 1) {
    const { body, name } = createHostilePayload(recorded, random);
    const result = await explorer.world.deliver(body);
    for (const find of [findFailures, findShownFaults])
      faults.push(...find(result).map((fault) => `${fault.slice(0, 1_000)} after ${name}`));
  }
  expect(faults).toEqual([]);
});

const SRC = join(import.meta.dirname, '..', '..', 'src');
/**
 * Functions that return a message, a view or blocks. Parameters may be destructured, and their types may be object types
 * with nested objects.
 */
const RENDER_FUNCTIONS =
  /\bfunction (\w+)(?:(?!\n\n)(?:[^{};]|\{(?:[^{}]|\{[^{}]*\})*\}))*?\): (?:KnownBlock\[\]|(?:Message|Modal|ModalView|HomeView|Confirmation)\b)/g;

test('every function that renders a message or a view is called here or has another test', () => {
  const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(SRC, file), 'utf8');
      return [...text.matchAll(RENDER_FUNCTIONS)].map(([, name = '']) => `src/${file}#${name}`);
    });
  expect(all.length).toBeGreaterThan(90);
  const untested = all.filter(
    (name) => !calledFunctions.has(name) && TESTED_ELSEWHERE[name.replace(/.*#/, '')] === undefined,
  );
  expect(untested).toEqual([]);
  for (const [name, file] of Object.entries(TESTED_ELSEWHERE)) {
    expect(all.join(' ')).toContain(`#${name}`);
    expect(existsSync(join(import.meta.dirname, '..', file)), file).toBe(true);
  }
});
