import { expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word } from '../support/word-submissions.ts';

/** A refused token pauses exactly the submissions that the service would refuse. */

const words = setUpWords();
const { service } = words;

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });

/** Starts submissions. The first word of a text is the id of its project. The project 'own' has its own token. */
function startSubmissions(kind: SubmissionKind<Word>, probeIntervalMs = 60_000) {
  const tokens: (string | undefined)[] = [];
  const instance = words.createRunning(kind, {
    findApiClient: async (_workspace, project) => ({
      ...client,
      ...(project === 'own' && { tokenProjectId: project }),
    }),
    notifyOwners: async (_workspace, _message, token) => void tokens.push(token),
    pace: { probeIntervalMs },
  });
  return { ...instance, tokens };
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
  const { context, tokens } = startSubmissions(kind);
  const results: unknown[] = [];
  for (const text of texts) results.push(await submitText(context, kind, text));
  expect(results).toEqual(['paused', 'paused', 'confirmed', 'paused']);
  expect(service.sentTexts).toEqual([texts[0], texts[2]]);
  expect(tokens).toEqual([token]);
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
  const { context, tokens } = startSubmissions(kind, 2_000);
  const results = [];
  for (const text of ['one', 'two', 'three']) results.push(await submitText(context, kind, text));
  expect(results).toEqual(['paused', 'paused', 'paused']);
  expect(service.sentTexts).toEqual(['one']);
  expect(tokens).toEqual(['']);
  await expect.poll(readStates).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(tokens).toHaveLength(1);
  expect(service.storedTexts.sort()).toEqual(['one', 'three', 'two']);
});

test('owners who couldn’t be notified of a refused token are notified at its next refusal', async () => {
  service.scriptCalls(refuseWith(403), refuseWith(403), refuseWith(403));
  const kind = createProjectKind();
  const notifications: string[] = [];
  const { context } = words.createStopped(kind, {
    notifyOwners: async (_workspace, { text }) => {
      notifications.push(text);
      if (notifications.length === 1) throw new Error('Slack is down');
    },
    pace: { probeIntervalMs: 0 },
  });
  for (const text of ['here one', 'here two', 'here three']) await submitText(context, kind, text);
  expect(service.sentTexts).toEqual(['here one', 'here two', 'here three']);
  expect(notifications).toHaveLength(2);
});

test('reconciling with a refused token does not postpone the next probe', async () => {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind();
  const { context, tokens } = startSubmissions(kind, 300);
  service.setListOutcome(undefined);
  await submitText(context, kind, 'one');
  service.setListOutcome({ kind: 'refused', status: 401 });
  await expect.poll(() => tokens).toEqual(['']);
  const findProbeTime = async () =>
    (await words.db.selectFrom('service_pause').select('probe_at').execute())[0]?.probe_at.getTime() ?? 0;
  const firstProbeTime = await findProbeTime();
  await expect.poll(() => Date.now()).toBeGreaterThan(firstProbeTime - 100);
  expect(await findProbeTime()).toBe(firstProbeTime);
  service.setListOutcome(undefined);
  await expect.poll(readStates).toEqual(['needs-person']);
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
