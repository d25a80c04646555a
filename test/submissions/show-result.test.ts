import { randomUUID } from 'node:crypto';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sendReceipt, showUnsaved } from '../../src/forms/show-result.ts';
import { changeStoredForm, readStoredForm, storeForm } from '../../src/forms/stored-form.ts';
import { sendContents } from '../../src/forms/submit-form.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { notifyAuthor } from '../../src/submissions/submissions.ts';
import { createFormCall, createSubmittedForm, createTestForm } from '../support/form-call.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, QUICK_PACE } from '../support/word-submissions.ts';

const words = setUpWords();
const { readRows, service } = words;

/** The typed values of a form while its last change is still on its way. */
const EARLIER_TYPED = { prefill: { text: 'earlier' }, excerpt: 'earlier', savedAt: new Date().toISOString() };

/** Reported when the typed values are removed. */
const ENDED = 'typed: nothing';

/** A database plugin with which no statement ends. */
const NO_RESULTS: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: () => new Promise<never>(() => {}),
};

/**
 * Submits a form and returns the responses. A change of the stored typed values is reported before the next response, or
 * at the end. `isAckLost`, `isViewLost`: whether Slack refuses that response. `isStoringHung`: whether an earlier change of
 * the stored form never ends.
 */
async function submitForm(
  texts: readonly string[],
  options: {
    isSlow?: boolean;
    isAckLost?: boolean;
    isViewLost?: boolean;
    isStoringHung?: boolean;
    hasReceipt?: boolean;
  } = {},
) {
  const { isSlow = false, isAckLost = false, isViewLost = false } = options;
  const { hasReceipt = false, isStoringHung = false } = options;
  const shownTexts: string[] = [];
  const plainKind = service.kind();
  const kind = service.kind('reconcile', {
    hasReceipt,
    send: async (api, content) => {
      if (isSlow) await expect.poll(() => shownTexts.join()).toContain('ack ');
      return plainKind.send(api, content);
    },
  });
  const client = {
    chat: { postMessage: async ({ text }: { text: string }) => void shownTexts.push(`message ${text}`) },
    views: {
      update: async () => {
        throw new WebAPIPlatformError({ ok: false, error: 'not_found' });
      },
    },
  };
  const { submissions } = words.createStopped(kind, {
    pace: isSlow ? { acknowledgementTimeoutMs: 20 } : {},
    ...(isViewLost && { findSlackClient: async () => client as unknown as WebClient }),
  });
  const call = createFormCall(
    submissions,
    (line) => shownTexts.push(line),
    () => isViewLost,
  );
  const form = createTestForm(kind, { keepsTyped: true });
  const formId = randomUUID();
  await storeForm(form, call, formId, { project: null, channel: 'C1', typed: EARLIER_TYPED });
  const stored = (await readStoredForm(form, call, formId)) ?? {};
  let reportedTyped: string | undefined = EARLIER_TYPED.excerpt;
  const reportTyped = async () => {
    const excerpt = (await readStoredForm(form, call, formId))?.typed?.excerpt;
    if (excerpt !== reportedTyped) shownTexts.push(`typed: ${excerpt ?? 'nothing'}`);
    reportedTyped = excerpt;
  };
  const answer: typeof call.answer = async (response) => {
    await reportTyped();
    return !isAckLost && call.answer(response);
  };
  const update: WebClient['views']['update'] = async (view) => {
    await reportTyped();
    return call.client.views.update(view);
  };
  const watchedClient = { ...call.client, views: { update } } as unknown as WebClient;
  if (isStoringHung) {
    const hung = words.db.withPlugin(NO_RESULTS);
    let readCount = 0;
    // The first handle that is read stands for the instance, whose changes of a form wait for each other.
    const context = {
      ...call.context,
      get db() {
        readCount += 1;
        return readCount === 1 ? words.db : hung;
      },
    };
    void changeStoredForm(form, { ...call, context }, formId, (changed) => changed);
  }
  const contents = texts.map((text) => ({ text }));
  const watchedCall = { ...call, answer, client: watchedClient };
  const submitted = createSubmittedForm(form, watchedCall, texts.join(), { formId, stored });
  await sendContents(form, watchedCall, submitted, contents);
  await reportTyped();
  // The notifier sends what couldn't be shown.
  if (isViewLost) await submissions.engine.runOnce();
  return shownTexts;
}

describe('showing the outcome', () => {
  test('the outcome is shown in the view, if Slack refuses the acknowledgement', async () => {
    expect(await submitForm(['hello'], { isAckLost: true })).toEqual([
      ENDED,
      'view Done: ☑️ *hello is saved.*',
    ]);
  });

  test('the outcome is sent in a direct message, if neither acknowledgement nor view reaches the author', async () => {
    expect(await submitForm(['hello'], { isAckLost: true, isViewLost: true })).toEqual([
      ENDED,
      'message hello is saved. The word hello. “hello”',
    ]);
  });

  test('the outcome is shown in the view, if the service was too slow for the acknowledgement, and nowhere else', async () => {
    expect(await submitForm(['hello'], { isSlow: true })).toEqual([
      ENDED,
      'ack Sending…',
      'view Done: ☑️ *hello is saved.*',
    ]);
    const rows = await words.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
    expect(rows).toEqual([{ notify_at: null, notified_at: expect.any(Date) }]);
  });
});

describe('after a refusal', () => {
  const submitRefused = (options: Parameters<typeof submitForm>[1]) => {
    service.scriptCalls({ ending: { kind: 'invalid', problems: [] } });
    return submitForm(['hello'], options);
  };
  const REFUSED = /^(ack|view) The form again: :warning: \*Not sent\.\*/;

  test('what was typed is stored again before the form is shown again', async () => {
    expect(await submitRefused({})).toEqual(['typed: hello', expect.stringMatching(REFUSED)]);
  });

  test('what was typed is stored again before the form is shown again late', async () => {
    expect(await submitRefused({ isSlow: true })).toEqual([
      ...[ENDED, 'ack Sending…'],
      ...['typed: hello', expect.stringMatching(REFUSED)],
    ]);
  });

  test('the form is shown again in time although what was typed can’t be stored', async () => {
    expect(await submitRefused({ isStoringHung: true })).toEqual([ENDED, expect.stringMatching(REFUSED)]);
  });

  test('a form that was closed isn’t offered, because the message has its text', async () => {
    expect(await submitRefused({ isSlow: true, isViewLost: true })).toEqual([
      ...[ENDED, 'ack Sending…'],
      ...['typed: hello', ENDED],
      expect.stringMatching(/^message /),
    ]);
  });
});

describe('a receipt', () => {
  const RECEIPT = 'receipt hello is saved.';

  test.each([
    [
      'stays open after the receipt doesn’t show the result again',
      false,
      'view Done: Done. You can close this form.',
    ],
    ['is closed by then shows nothing', true],
  ] as const)('a form that %s', async (_what, isViewLost, ...shown) => {
    expect(await submitForm(['hello'], { hasReceipt: true, isAckLost: true, isViewLost })).toEqual([
      ...[RECEIPT, ENDED],
      ...shown,
    ]);
    const pending = words.db.selectFrom('submission').select('id').where('notify_at', 'is not', null);
    expect(await pending.execute()).toEqual([]);
  });

  test('none is sent just before the acknowledgement is due, because the form shows the result then', async () => {
    const { submissions } = words.createStopped(service.kind());
    const shownTexts: string[] = [];
    const call = createFormCall(submissions, (line) => shownTexts.push(line));
    const message = { text: 'hello is saved.' };
    expect(await sendReceipt({ ...call, getRemainingMs: () => 100 }, 'C1', message)).toBe(false);
    expect(shownTexts).toEqual([]);
    expect(await sendReceipt(call, 'C1', message)).toBe(true);
    expect(shownTexts).toEqual([RECEIPT]);
  });
});

test('after a save that timed out, the same form can be submitted again and is sent once', async () => {
  const kind = service.kind();
  const { context } = words.createStopped(kind, { pace: { saveMs: 50 } });
  const unlock = await words.lockSubmissions();
  const submission = createWordSubmission('hello');
  expect(await saveAndSend(context, kind, [submission])).toBe('not-saved');
  const patientContext = { ...context, pace: { ...context.pace, saveMs: 5_000 } };
  const submitting = saveAndSend(patientContext, kind, [submission]);
  await unlock();
  const saveResult = await submitting;
  expect(
    typeof saveResult === 'string' ? saveResult : (await saveResult.attemptedRows).map(({ state }) => state),
  ).toEqual(['confirmed']);
  const rows = await words.db.selectFrom('submission').select('state').execute();
  expect(rows).toEqual([{ state: 'confirmed' }]);
});

test('if the author closes the view of a repeated submission, only the first submission notifies them', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const plainKind = service.kind();
  const kind = service.kind('reconcile', {
    send: async (api, content) => {
      await response;
      return plainKind.send(api, content);
    },
  });
  const { submissions, context } = words.createStopped(kind, {
    pace: { acknowledgementTimeoutMs: 20, notificationDelayMs: 60_000 },
  });
  const formId = randomUUID();
  const firstSave = await saveAndSend(context, kind, [{ ...createWordSubmission('hello'), origin: formId }]);
  const shownTexts: string[] = [];
  const secondCall = createFormCall(
    submissions,
    (line) => shownTexts.push(line),
    () => true,
  );
  const form = createTestForm(kind);
  const submitted = createSubmittedForm(form, secondCall, 'hello', { formId });
  const secondSubmission = sendContents(form, secondCall, submitted, [{ text: 'hello' }]);
  await expect.poll(() => shownTexts).toEqual(['ack Sending…']);
  respond();
  if (typeof firstSave !== 'string') await firstSave.attemptedRows;
  await secondSubmission;
  const rows = await words.db.selectFrom('submission').select(['notify_at', 'notified_at']).execute();
  expect(rows).toEqual([{ notify_at: expect.any(Date), notified_at: null }]);
});

test('what was typed is stored before the author reads that it wasn’t saved', async () => {
  const kind = service.kind();
  const { submissions, logLines } = words.createStopped(kind);
  const shownTexts: string[] = [];
  const call = createFormCall(submissions, (line) => shownTexts.push(line));
  const form = createTestForm(kind, { keepsTyped: true });
  const submitted = createSubmittedForm(form, call, 'hello');
  const { formId, stored } = submitted;
  await storeForm(form, call, formId, stored);
  let typed: string | undefined;
  const answer: typeof call.answer = async (response) => {
    typed = (await readStoredForm(form, call, formId))?.typed?.excerpt;
    return call.answer(response);
  };
  const submissionsOfForm = [createWordSubmission('hello')];
  const unsaved = { kind, submissions: submissionsOfForm, reason: 'not-saved' as const };
  await showUnsaved(form, { ...call, answer }, submitted, unsaved);
  expect({ typed, shownTexts }).toEqual({
    typed: 'hello',
    shownTexts: [expect.stringMatching(/^ack The form again: .*Not saved/)],
  });
  expect(logLines).toEqual(['submission not known to be saved {"reference":"r","reason":"not-saved"}']);
});

describe('a press that wasn’t saved, after the form was closed', () => {
  async function showUnsavedPress(text: string, savedText: string, strategy?: 'repeat') {
    const kind = service.kind(strategy);
    const { submissions } = words.createStopped(kind);
    const saved = createWordSubmission(savedText);
    await words.submit(submissions.context, kind, saved);
    const shownTexts: string[] = [];
    const call = createFormCall(
      submissions,
      (line) => shownTexts.push(line),
      () => true,
    );
    const form = createTestForm(kind);
    const submitted = createSubmittedForm(form, call, text);
    const unsavedSubmissions = [{ ...saved, content: { text } }];
    const unsaved = { kind, submissions: unsavedSubmissions, reason: 'not-saved' as const };
    const lateCall = { ...call, answer: async () => false };
    await showUnsaved(form, lateCall, submitted, unsaved);
    return shownTexts;
  }

  const NOT_SAVED = 'message Not saved, and nothing was sent. hello';
  test.each([
    ['nothing of it, if another press of the form was saved meanwhile', 'hello', undefined, []],
    ['it, if the form was saved with other words', 'helo', undefined, [NOT_SAVED]],
    // Words with the same first letter have the same target.
    ['it, if the form was saved with other values for the same thing', 'helo', 'repeat', [NOT_SAVED]],
  ] as const)('the author reads %s', async (_what, saved, strategy, shown) => {
    expect(await showUnsavedPress('hello', saved, strategy)).toEqual(shown);
  });
});

/** A Slack client that stores messages with their metadata. */
function createDirectMessageClient() {
  const messages: { text: string; ts: string; metadata?: unknown }[] = [];
  const client = {
    chat: { postMessage: async (message: { text: string }) => void messages.push({ ...message, ts: '1.0' }) },
    conversations: {
      open: async () => ({ channel: { id: 'D1' } }),
      history: async () => ({ messages }),
    },
  };
  return { messages, findSlackClient: async () => client as unknown as WebClient };
}

test('no more notifications are claimed than the limit, even if many of them hang', async () => {
  const MAX_IN_PROGRESS = 20;
  const kind = service.kind();
  let openCount = 0;
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const postMessage = async () => {
    openCount += 1;
    await response;
  };
  const findSlackClient = async () => ({ chat: { postMessage } }) as unknown as WebClient;
  const { context, submissions } = words.createStopped(kind, {
    findSlackClient,
    pace: { notificationDelayMs: 30_000 },
  });
  const texts = Array.from({ length: 3 * MAX_IN_PROGRESS }, (_, index) => `word ${index}`);
  await words.submit(context, kind, ...texts.map((text) => createWordSubmission(text)));
  const due = new Date();
  await words.db.updateTable('submission').set({ notify_at: due, notifying_since: null }).execute();
  submissions.start();
  await expect.poll(() => openCount).toBe(MAX_IN_PROGRESS);
  // Scans continue meanwhile.
  await expect
    .poll(async () => (await readRows()).filter(({ notifying_since: since }) => since).length)
    .toBe(MAX_IN_PROGRESS);
  const laterTime = Date.now() + 5 * QUICK_PACE.scanIntervalMs;
  await expect.poll(() => Date.now()).toBeGreaterThan(laterTime);
  expect(openCount).toBe(MAX_IN_PROGRESS);
  expect((await readRows()).filter(({ notifying_since: since }) => since)).toHaveLength(MAX_IN_PROGRESS);
  respond();
  await expect.poll(isNotified).toBe(true);
  expect(openCount).toBe(3 * MAX_IN_PROGRESS);
  await submissions.stop();
});

test('an instance sends all notifications except for states that only a newer version knows', async () => {
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const { context, submissions, logLines } = words.createStopped(kind, slack);
  await words.submit(context, kind, createWordSubmission('hello'), createWordSubmission('world'));
  const [firstRow] = await readRows();
  const since = new Date(Date.now() - 5_000);
  await words.db.updateTable('submission').set({ notify_at: since }).execute();
  await words.db
    .updateTable('submission')
    .set({ state: sql`'translated'` })
    .where('id', '=', firstRow?.id ?? '')
    .execute();
  submissions.start();
  await expect.poll(() => slack.messages).toHaveLength(1);
  await expect.poll(() => logLines.filter((line) => line.includes('excluded'))).toHaveLength(1);
  await submissions.stop();
  const [excludedRow] = (await readRows()).filter(({ state }) => String(state) === 'translated');
  expect(excludedRow?.notify_at).not.toBeNull();
});

const refusal = { ending: { kind: 'invalid', problems: [] } } as const;

const isNotified = async () =>
  (await readRows()).every((row) => row.notify_at === null && row.notified_at !== null);

/** Ends a process before or after it sends a notification, and starts the next process. Returns the messages. */
async function endWhileNotifying(crashPoint: 'after the message' | 'before the message') {
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const firstInstance = words.createStopped(kind, slack);
  await words.submit(firstInstance.context, kind, createWordSubmission('hello'));
  firstInstance.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await firstInstance.submissions.stop();
  if (crashPoint === 'before the message') slack.messages.length = 0;
  const since = new Date(Date.now() - 5_000);
  await words.db
    .updateTable('submission')
    .set({ notify_at: since, notifying_since: since, notified_at: null })
    .execute();
  const nextInstance = words.createStopped(kind, slack);
  nextInstance.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await nextInstance.submissions.stop();
  return slack.messages;
}

test('an author who was notified right before a crash is not notified again', async () => {
  expect(await endWhileNotifying('after the message')).toHaveLength(1);
});

test('an author whose notification was prevented by a crash is notified by the next instance', async () => {
  const messages = await endWhileNotifying('before the message');
  expect(messages).toEqual([
    expect.objectContaining({ metadata: expect.objectContaining({ event_type: 'upnext_told' }) }),
  ]);
});

test('a notification that was never attempted is sent without a search in Slack', async () => {
  const kind = service.kind();
  const messages: string[] = [];
  const client = { chat: { postMessage: async ({ text }: { text: string }) => void messages.push(text) } };
  const endedActors: string[] = [];
  const { context, submissions, logLines } = words.createStopped(kind, {
    onAuthorNotified: ({ workspace, user }) => void endedActors.push(`${workspace} ${user}`),
    findSlackClient: async () => client as unknown as WebClient,
  });
  await words.submit(context, kind, createWordSubmission('hello'));
  submissions.start();
  await expect.poll(isNotified).toBe(true);
  await submissions.stop();
  expect(messages).toHaveLength(1);
  expect(endedActors).toEqual(['T1 U1']);
  expect(logLines.join()).not.toContain('could not look up');
});

test('a form that shows a refusal is not replaced while the author corrects the form', async () => {
  service.scriptCalls(refusal, refusal);
  const kind = service.kind('ask', {
    rebuildForm: async () => ({ type: 'modal', title: { type: 'plain_text', text: 'Form' }, blocks: [] }),
  });
  const { context, shownTexts } = words.createStopped(kind);
  const form = { ...createWordSubmission('hello', { origin: 'form' }), viewId: 'V1' };
  await words.submit(context, kind, form, { ...form, item: 1, content: { text: 'hello again' } });
  const formRows = await readRows();
  const attempt = { earlierSince: undefined, begin: async () => ({ mayBegin: () => true }) };
  for (const row of formRows) await notifyAuthor(context, [row], attempt);
  expect(shownTexts).toEqual(['V1: Form']);
  expect(await isNotified()).toBe(true);
});
