import { beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { CAPABILITIES, endDeliveries } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { findStopAndPauses, pauseScope } from '../../src/submissions/pause.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { createRefusedTokenNotifications } from '../../src/workspaces/credentials.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { NOW } from '../support/bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

/** A refused token pauses exactly the submissions that the service would refuse. */

const words = setUpWords();
const { service } = words;
beforeEach(() => words.db.deleteFrom('once_claim').execute());

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });

/** Notifies owners as the app does. `ownerTexts`: what they read. The first `failures` messages aren't delivered. */
function createNotifications(failures = 0) {
  const ownerTexts: string[] = [];
  let attempts = 0;
  const notifications = createRefusedTokenNotifications({
    db: words.db,
    async notifyOwners(_workspace, { text }) {
      attempts += 1;
      if (attempts <= failures) throw new Error('Slack is down');
      ownerTexts.push(text);
    },
  });
  return { ...notifications, ownerTexts };
}

/**
 * Starts submissions. The first word of a text is the id of its project. The project 'own' has its own token.
 * `tokens`: the projects of the tokens that were refused, undefined for a missing right.
 */
function startSubmissions(kind: SubmissionKind<Word>, probeIntervalMs = 60_000) {
  const tokens: (string | undefined)[] = [];
  const { notifyPaused, ownerTexts } = createNotifications();
  const instance = words.createRunning(kind, {
    findApiClient: async (_workspace, project) => ({
      ...client,
      ...(project === 'own' && { tokenProjectId: project }),
    }),
    notifyOwners(workspace, message, token) {
      tokens.push(token);
      return notifyPaused(workspace, message, token);
    },
    pace: { probeIntervalMs },
  });
  return { ...instance, ownerTexts, tokens };
}

const createProjectKind = () =>
  service.kind('ask', {
    getProject: ({ text }) => ({ id: text.split(' ')[0] ?? '', name: 'Harbour Coffee' }),
  });

async function submitText(context: SubmissionContext, kind: SubmissionKind<Word>, text: string) {
  const saveResult = await saveAndSend(context, kind, [createWordSubmission(text)]);
  const [row] = typeof saveResult === 'string' ? [] : await saveResult.attemptedRows;
  return row?.reason ?? row?.state;
}

const readStates = async () =>
  (await words.db.selectFrom('submission').select('state').execute()).map(({ state }) => state);
const refuseWith = (status: number) => ({ ending: { kind: 'refused', status } as const });

test.each([
  {
    refusal: 'the token of a project pauses only that project',
    ...{ status: 401, token: 'own', texts: ['own one', 'own two', 'other three', 'own four'] },
  },
  {
    refusal: 'the workspace’s token pauses no project with a token of its own',
    ...{ status: 401, token: '', texts: ['other one', 'third two', 'own three', 'other four'] },
  },
  {
    refusal: 'a permission in a project pauses no other project',
    ...{ status: 403, token: undefined, texts: ['here one', 'here two', 'there three', 'here four'] },
  },
])('a refusal of $refusal, and the owners read what was refused', async ({ status, token, texts }) => {
  const kind = createProjectKind();
  service.scriptCalls(refuseWith(status));
  const { context, ownerTexts, tokens } = startSubmissions(kind);
  const results: unknown[] = [];
  for (const text of texts) results.push(await submitText(context, kind, text));
  expect(results).toEqual(['paused', 'paused', 'confirmed', 'paused']);
  expect(service.sentTexts).toEqual([texts[0], texts[2]]);
  expect(tokens).toEqual([token]);
  expect(ownerTexts).toHaveLength(1);
});

test('replacing the token resumes all paused submissions', async () => {
  const kind = createProjectKind();
  service.scriptCalls(refuseWith(401), refuseWith(401));
  const { context, submissions } = startSubmissions(kind);
  for (const text of ['own one', 'other two', 'other three', 'own four'])
    await submitText(context, kind, text);
  expect(service.storedTexts).toEqual([]);
  await submissions.resume('T1');
  await expect
    .poll(() => service.storedTexts.toSorted())
    .toEqual(['other three', 'other two', 'own four', 'own one']);
});

test('a refused token pauses the workspace and notifies the owners once, until the token is accepted', async () => {
  service.scriptCalls(refuseWith(401), refuseWith(401));
  const kind = service.kind();
  const { context, ownerTexts, tokens } = startSubmissions(kind, 2_000);
  const results = [];
  for (const text of ['one', 'two', 'three']) results.push(await submitText(context, kind, text));
  expect(results).toEqual(['paused', 'paused', 'paused']);
  expect(service.sentTexts).toEqual(['one']);
  expect(ownerTexts).toHaveLength(1);
  await expect.poll(readStates).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(tokens).toEqual(['', '']);
  expect(ownerTexts).toHaveLength(1);
  expect(service.storedTexts.sort()).toEqual(['one', 'three', 'two']);
});

test('a token that was replaced during the call pauses nothing, and the new one sends the post', async () => {
  service.scriptCalls(refuseWith(401));
  const credentials = [{}, {}];
  const kind = service.kind('reconcile', {
    // An owner replaces the token while the service answers.
    send: (api, content) =>
      service
        .kind()
        .send(api, content)
        .finally(() => credentials.shift()),
  });
  const { context, ownerTexts } = words.createRunning(kind, {
    findApiClient: async () => ({ ...client, credential: credentials[0] ?? client.credential }),
    pace: { probeIntervalMs: 60_000 },
  });
  expect(await submitText(context, kind, 'hello')).toBe('retryable');
  await expect.poll(readStates).toEqual(['confirmed']);
  expect(ownerTexts).toEqual([]);
});

test('owners are told again if the token that replaced one lacks a right too, and of a pause once a day', async () => {
  service.scriptCalls(refuseWith(403), refuseWith(403), refuseWith(403));
  const kind = createProjectKind();
  const { notifyPaused, ownerTexts, reset } = createNotifications();
  const pace = { probeIntervalMs: 0 };
  const { context, submissions } = words.createStopped(kind, { notifyOwners: notifyPaused, pace });
  for (const text of ['here one', 'here two']) await submitText(context, kind, text);
  expect(ownerTexts).toHaveLength(1);
  await reset({ workspace: 'T1' });
  await submissions.resume('T1');
  await submitText(context, kind, 'here three');
  expect(ownerTexts).toHaveLength(2);
});

test('a refused token pauses although its owners can’t be notified, and its next refusal notifies them', async () => {
  service.scriptCalls(refuseWith(403), refuseWith(403));
  const kind = createProjectKind();
  const { notifyPaused, ownerTexts } = createNotifications(1);
  const pace = { probeIntervalMs: 0 };
  const { context } = words.createStopped(kind, { notifyOwners: notifyPaused, pace });
  expect([await submitText(context, kind, 'here one'), ownerTexts.length]).toEqual(['paused', 0]);
  expect([await submitText(context, kind, 'here two'), ownerTexts.length]).toEqual(['paused', 1]);
});

test('reconciling with a refused token does not postpone the next probe', async () => {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind();
  const { context, ownerTexts } = startSubmissions(kind, 300);
  service.setListOutcome(undefined);
  await submitText(context, kind, 'one');
  service.setListOutcome({ kind: 'refused', status: 401 });
  await expect.poll(() => ownerTexts).toHaveLength(1);
  const findProbeTime = async () =>
    (await words.db.selectFrom('service_pause').select('probe_at').execute())[0]?.probe_at.getTime() ?? 0;
  const firstProbeTime = await findProbeTime();
  await expect.poll(() => Date.now()).toBeGreaterThan(firstProbeTime - 100);
  expect(await findProbeTime()).toBe(firstProbeTime);
  service.setListOutcome(undefined);
  await expect.poll(readStates).toEqual(['unsure']);
});

test('a submission that was under way when a pause began doesn’t end it; the next probe does', async () => {
  const kind = createProjectKind();
  const earlyCall = Promise.withResolvers<void>();
  const { context } = startSubmissions(
    {
      ...kind,
      async send(api, content) {
        if (content.text === 'other early') await earlyCall.promise;
        return kind.send(api, content);
      },
    },
    500,
  );
  const early = submitText(context, kind, 'other early');
  await expect.poll(readStates).toEqual(['sending']);
  service.scriptCalls(refuseWith(401));
  expect(await submitText(context, kind, 'other refused')).toBe('paused');
  earlyCall.resolve();
  expect(await early).toBe('confirmed');
  expect(await submitText(context, kind, 'other late')).toBe('paused');
  await expect.poll(readStates).toEqual(['confirmed', 'confirmed', 'confirmed']);
});

const database = await setUpBotDatabase();

test('a deleted workspace has no pauses', async () => {
  const query = { workspace: 'T1', project: null, scopes: ['token'] };
  await pauseScope(database.db, { workspace: 'T1', scope: 'token', status: 401, now: NOW, probeAt: NOW });
  expect((await findStopAndPauses(database.db, query)).pauses).toHaveLength(1);
  await forgetWorkspace(database.db, 'T1', NOW, endDeliveries);
  expect((await findStopAndPauses(database.db, query)).pauses).toEqual([]);
});

test('the stop of a project and its pauses are found together', async () => {
  const pause = { workspace: 'T1', status: 403, now: NOW, probeAt: NOW };
  const query = { workspace: 'T1', project: 'p1', scopes: ['token', 'rights post p1'] };
  await stopSending(database.db, { reason: 'wrong copy', since: NOW, stoppedBy: 'U1' }, query);
  expect(await findStopAndPauses(database.db, query)).toEqual({
    stop: { reason: 'wrong copy', since: NOW, stopped_by: 'U1' },
    pauses: [],
  });
  for (const scope of [...query.scopes, 'token p2']) await pauseScope(database.db, { ...pause, scope });
  const { stop, pauses } = await findStopAndPauses(database.db, query);
  expect(stop?.reason).toBe('wrong copy');
  expect(pauses.map(({ scope }) => scope).sort()).toEqual(query.scopes.toSorted());
  await resumeSending(database.db, CAPABILITIES, NOW, query);
  expect(await findStopAndPauses(database.db, query)).toMatchObject({ stop: undefined, pauses: [{}, {}] });
});

test('lookups of different projects and workspaces each get their own stops and pauses', async () => {
  const projects = ['p1', 'p2', null].flatMap((project) =>
    ['T1', 'T2'].map((workspace) => ({ workspace, project })),
  );
  await stopSending(
    database.db,
    { reason: 'of p1', since: NOW, stoppedBy: 'U1' },
    { workspace: 'T2', project: 'p1' },
  );
  await pauseScope(database.db, { workspace: 'T2', scope: 'of T2', status: 401, now: NOW, probeAt: NOW });
  const find = () =>
    Promise.all(projects.map((project) => findStopAndPauses(database.db, { ...project, scopes: ['of T2'] })));
  expect((await find()).map(({ stop, pauses }) => [stop?.reason, pauses.length])).toEqual([
    [undefined, 0],
    ['of p1', 1],
    [undefined, 0],
    [undefined, 1],
    [undefined, 0],
    [undefined, 1],
  ]);
  await stopSending(database.db, { reason: 'of everything', since: NOW });
  for (const { stop } of await find())
    expect(stop).toEqual({ reason: 'of everything', since: NOW, stopped_by: null });
  await resumeSending(database.db, CAPABILITIES, NOW);
  const oddProjects = ['a\0b', '\ud800'];
  const odd = oddProjects.map((project) =>
    findStopAndPauses(database.db, { workspace: 'T2', project, scopes: ['of T2', project] }),
  );
  for (const { pauses } of await Promise.all(odd)) expect(pauses).toHaveLength(1);
});
