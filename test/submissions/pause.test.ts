import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

/** A refused token pauses exactly those submissions that the service would refuse, too. */

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
  await database.db.deleteFrom('service_pause').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });

/** The first part of a text names its project. The project `own` has its own token. */
function startMachine(kind: SubmissionKind<Word>, probeMs = 60_000) {
  const tokens: (string | undefined)[] = [];
  const created = createTestMachine(database.db, kind, {
    apiFor: async (_workspace, project) => ({
      ...client,
      ...(project === 'own' && { tokenProjectId: project }),
    }),
    notifyOwners: async (_workspace, _message, token) => void tokens.push(token),
    pace: { probeMs },
  });
  created.submissions.start();
  stops.push(() => created.submissions.stop());
  return { ...created, tokens };
}

function createProjectKind(service: ReturnType<typeof wordService>): SubmissionKind<Word> {
  return service.kind('ask', {
    getProject: ({ text }) => ({ id: text.split(' ')[0] ?? '', name: 'Harbour Coffee' }),
  });
}

async function submitText(machine: Machine, kind: SubmissionKind<Word>, text: string) {
  const saveResult = await saveAndSend(machine, kind, [wordSubmission(text)]);
  const [row] = typeof saveResult === 'string' ? [] : await saveResult.finalRows;
  return row?.reason ?? row?.state;
}

const states = async () =>
  (await database.db.selectFrom('submission').select('state').execute()).map(({ state }) => state);
const refuseWith = (status: number) => ({ ending: { kind: 'refused', status } as const });

test('a refused project token pauses only that project, and the owners read which token was refused', async () => {
  const service = wordService();
  const kind = createProjectKind(service);
  service.next(refuseWith(401));
  const { machine, tokens } = startMachine(kind);
  expect(await submitText(machine, kind, 'own one')).toBe('paused');
  expect(await submitText(machine, kind, 'own two')).toBe('paused');
  expect(await submitText(machine, kind, 'other three')).toBe('confirmed');
  expect(service.sent).toEqual(['own one', 'other three']);
  expect(tokens).toEqual(['own']);
});

test('a refused workspace token does not pause a project with its own token', async () => {
  const service = wordService();
  const kind = createProjectKind(service);
  service.next(refuseWith(401));
  const { machine, tokens } = startMachine(kind);
  expect(await submitText(machine, kind, 'other one')).toBe('paused');
  expect(await submitText(machine, kind, 'third two')).toBe('paused');
  expect(await submitText(machine, kind, 'own three')).toBe('confirmed');
  expect(await submitText(machine, kind, 'other four')).toBe('paused');
  expect(tokens).toEqual(['']);
});

test('a missing permission in one project does not pause another project', async () => {
  const service = wordService();
  const kind = createProjectKind(service);
  service.next(refuseWith(403));
  const { machine, tokens } = startMachine(kind);
  expect(await submitText(machine, kind, 'here one')).toBe('paused');
  expect(await submitText(machine, kind, 'here two')).toBe('paused');
  expect(await submitText(machine, kind, 'there three')).toBe('confirmed');
  expect(await submitText(machine, kind, 'here four')).toBe('paused');
  expect(tokens).toEqual([undefined]);
});

test('replacing the token resumes everything that was paused', async () => {
  const service = wordService();
  const kind = createProjectKind(service);
  service.next(refuseWith(401), refuseWith(401));
  const { machine, submissions } = startMachine(kind);
  for (const text of ['own one', 'other two', 'other three', 'own four'])
    await submitText(machine, kind, text);
  expect(service.stored).toEqual([]);
  await submissions.resume('T1');
  await expect
    .poll(() => service.stored.toSorted())
    .toEqual(['other three', 'other two', 'own four', 'own one']);
});

test('a refused token pauses the workspace and notifies its owners once; sending resumes when the token is accepted', async () => {
  const service = wordService();
  service.next(refuseWith(401), refuseWith(401));
  const kind = service.kind();
  const { machine, tokens } = startMachine(kind, 2_000);
  const results = [];
  for (const text of ['one', 'two', 'three']) results.push(await submitText(machine, kind, text));
  expect(results).toEqual(['paused', 'paused', 'paused']);
  expect(service.sent).toEqual(['one']);
  expect(tokens).toEqual(['']);
  await expect.poll(states, { timeout: 15_000 }).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(tokens).toHaveLength(1);
  expect(service.stored.sort()).toEqual(['one', 'three', 'two']);
});

test('reconciling with a refused token does not postpone the next probe', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind();
  const { machine, tokens } = startMachine(kind, 300);
  service.list(undefined);
  await submitText(machine, kind, 'one');
  service.list({ kind: 'refused', status: 401 });
  await expect.poll(() => tokens).toEqual(['']);
  const findProbeTime = async () =>
    (await database.db.selectFrom('service_pause').select('probe_at').execute())[0]?.probe_at.getTime() ?? 0;
  const firstProbeTime = await findProbeTime();
  await expect.poll(() => Date.now()).toBeGreaterThan(firstProbeTime - 100);
  expect(await findProbeTime()).toBe(firstProbeTime);
  service.list(undefined);
  await expect.poll(states).toEqual(['needs-person']);
});
