import { describe, expect, test } from 'vitest';
import { giveXOwnText, openFilledForm, submitAndClose, submitFilledForm } from '../../support/filled-form.ts';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json, listedPost, type ScriptedService } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, ben, database, running, startBot } = setUpBot();

const getLastMessage = (person: { messages(): string[] }) => person.messages().at(-1) ?? '';

/** Submits a post that the service doesn't accept for now. */
async function submitPendingPost(options: Parameters<typeof startBot>[0] = {}) {
  await startBot({ ...options, pace: { retryBackoff: { firstMs: 60_000, maxMs: 60_000 } } });
  running.service.on('POST /posts', json(429, {}));
  return (await submitAndClose(running)).ana;
}

/** Submits a post that the service refuses. */
async function submitRefusedPost() {
  await startBot();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const { ana, form } = await submitFilledForm(running);
  return { ana, form };
}

/** Submits a post without an answer from the service. */
async function submitUncertainPost() {
  await startBot({ pace: { reconcileDelaysMs: [10] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana } = await submitFilledForm(running);
  await (await ana.modal('Not sure')).close();
  return ana;
}

/** Stores that a submission failed at its time. `serviceId`: the service's id of it. Defaults to the only one. */
async function storeFailure(serviceId?: string): Promise<void> {
  const { id, created_at } = await database.db
    .selectFrom('submission')
    .select(['id', 'created_at'])
    .$if(serviceId !== undefined, (query) => query.where('service_id', '=', serviceId ?? ''))
    .executeTakeFirstOrThrow();
  await database.db
    .insertInto('publication')
    .values({
      ...{ id, workspace: 'T01HARBOUR', author: 'U01ANAFERR', state: 'failed', attempts: 1 },
      changed_at: created_at,
    })
    .execute();
}

test('a pending post is listed as pending and as waiting, leads to the outbox, and is listed if the service isn’t answering', async () => {
  const ana = await submitPendingPost();
  for (const filterText of ['pending', 'waiting', 'unsent', 'pending on x', 'pending nine']) {
    await ask(ana, `/upnext posts ${filterText}`, 'We open at nine');
    expect(getLastMessage(ana)).not.toContain('[Open:');
  }
  await ask(
    ana,
    '/upnext posts waiting',
    'Harbour Coffee: 1 pending, uncertain or failed post',
    '⏳ Waiting',
  );
  await pressAndSee(ana, 'Open outbox', 'I’ll keep retrying');
  for (const filterText of [
    'failed',
    'pending on reddit',
    'pending tomorrow',
    'pending lunch',
    'uncertain',
  ]) {
    await ask(ana, `/upnext posts ${filterText}`, 'Harbour Coffee posts');
    expect(getLastMessage(ana)).toMatch(/^(There are no|No) .*Harbour Coffee posts/);
  }
  await running.service.stop();
  await ask(ana, '/upnext posts pending', 'Harbour Coffee: 1 pending post');
});

test('a post with an unknown outcome is listed as uncertain and as waiting', async () => {
  const ana = await submitUncertainPost();
  for (const filterText of ['uncertain', 'waiting']) {
    await ana.type(`/upnext posts ${filterText}`);
    await ana.sees(filterText === 'waiting' ? '❔ Not sure' : 'Harbour Coffee: 1 uncertain post');
    expect(getLastMessage(ana)).toContain('We open at nine');
  }
});

test('a failed post is found although a list of newer pending ones is cut', async () => {
  const { ana } = await submitRefusedPost();
  await ask(ana, '/upnext posts failed', 'Harbour Coffee: 1 failed post');
  const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const pending = { state: 'retryable', created_at: new Date('2026-11-20T13:00:00Z') } as const;
  const copies = Array.from({ length: 101 }, (_, index) => ({
    ...{ ...row, ...pending, next_at: null },
    ...{ id: `copy-${index}`, origin: `copy-${index}` },
  }));
  await database.db.insertInto('submission').values(copies).execute();
  await ask(ana, '/upnext posts failed on x', 'Harbour Coffee: 1 failed post on X');
  await ana.type('/upnext posts pending');
  await ana.sees('Harbour Coffee: 100 pending posts, 1 to 10, among those I can read');
});

test('pending posts of other people are listed for managers', async () => {
  await submitPendingPost({ membersDefaultRole: 'manager' });
  await ask(ben, '/upnext posts pending', 'We open at nine');
});

test('pending posts of other people are not listed for publishers, and the list says so', async () => {
  await submitPendingPost({ membersDefaultRole: 'publisher' });
  await ask(ben, '/upnext posts pending', 'There are no pending Harbour Coffee posts.');
  await ben.sees('Other people’s posts are included once the service has them.');
  expect(getLastMessage(ben)).not.toContain('We open at nine');
});

test('a refused post that is fixed in the outbox ends with a receipt in the channel', async () => {
  const { ana, form } = await submitRefusedPost();
  await form.close();
  running.service.on('POST /posts', data({ Id: 'made' }));
  const reopenedForm = await askForForm(ana, '/upnext outbox', 'Schedule a post', 'Fix');
  await submitWith(reopenedForm, { Text: 'We open quietly' });
  await ana.sees('Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
  expect(reopenedForm.open).toBe(false);
  expect(getLastMessage(ana)).toContain('Scheduled · Tue 1 Dec');
});

describe('failed posts of the service', () => {
  const failedPost = listedPost('Rain all day', '2026-11-19T09:00:00+01:00', {
    Id: 'post_7',
    Timezone: 'Europe/Berlin',
    Status: 'FAILED',
  });

  test('a post that the service lists as failed is listed, and can be opened', async () => {
    await startBot();
    running.service.on('GET /posts', data([failedPost, { ...failedPost, Id: 'b', Status: 'PUBLISHED' }]));
    await ask(ana, '/upnext posts failed', '1 failed post');
    expect((await pressForForm(ana, 'Open: Rain all day', 'Post')).text()).toContain('Post\n❌ Failed · ');
  });

  test('a post that only Upnext knows to have failed is listed once, as failed', async () => {
    await startBot();
    running.service.on('POST /posts', data({ Id: 'post_7' }));
    const { ana } = await submitFilledForm(running);
    await ana.sees('Scheduled');
    await storeFailure();
    for (const posts of [[], [{ ...failedPost, Content: 'We open at nine' }]]) {
      running.service.on('GET /posts', data(posts));
      await ask(ana, '/upnext posts failed', 'Harbour Coffee: 1 failed post');
      expect(getLastMessage(ana).match(/We open at nine/g)).toHaveLength(1);
    }
  });

  test('if the service can’t be read, the failed posts in the outbox are listed, and the list says that there may be more', async () => {
    const { ana } = await submitRefusedPost();
    running.service.on('GET /posts', json(503, {}));
    await ask(ana, '/upnext posts failed', 'We open at nine', 'I couldn’t load the service’s posts');
  });
});

describe('the parts of a post with another text for X', () => {
  type Answer = Parameters<ScriptedService['on']>[1];
  /** Submits such a post. `answerX`: the service's answer to its part for X. */
  async function submit(answerX: Answer, answerLinkedIn: Answer) {
    await startBot({ pace: { ...RECEIPT_PACE, reconcileDelaysMs: [10] } });
    running.service.on('POST /posts', (call, response) => {
      const { Platforms } = call.body as { Platforms: string[] };
      return (Platforms.includes('X') ? answerX : answerLinkedIn)(call, response);
    });
    const { ana, form } = await openFilledForm(running);
    await giveXOwnText(ana, form, 'At dawn!');
    await form.submit();
    return ana;
  }
  const countHeld = async (state: 'needs-person' | 'delivered') =>
    (await database.db.selectFrom('held_post').select('id').where('state', '=', state).execute()).length;
  const readList = async (ana: Awaited<ReturnType<typeof submit>>, filter: string) => {
    await ask(ana, `/upnext posts ${filter}`, 'Harbour Coffee');
    return getLastMessage(ana);
  };

  test('one with an unknown outcome is listed, although the post needs a decision about the other one', async () => {
    const ana = await submit(json(500, 'oops'), invalid({ loc: ['body', 'Content'], msg: 'too dull' }));
    await expect.poll(() => countHeld('needs-person')).toBe(1);
    expect(await readList(ana, 'uncertain')).toMatch(/1 uncertain post.*At dawn!/su);
    const failed = await readList(ana, 'failed');
    expectParts(failed, '1 failed post', 'We open at nine');
  });

  test('one that failed at its time is listed, although the post was delivered', async () => {
    const ana = await submit(data({ Id: 'post_x' }), data({ Id: 'post_l' }));
    await expect.poll(() => countHeld('delivered')).toBe(1);
    await storeFailure('post_x');
    expect(await readList(ana, 'failed')).toMatch(/1 failed post.*At dawn!/su);
  });

  test('are found by the words of each text', async () => {
    const ana = await submit(data({ Id: 'post_x' }), data({ Id: 'post_l' }));
    await expect.poll(() => countHeld('delivered')).toBe(1);
    for (const words of ['we open', 'at nine!']) expect(await readList(ana, words)).toContain('1 post');
    running.service.on(
      'GET /posts',
      data(running.service.created().map((post, index) => ({ ...post, Id: ['post_l', 'post_x'][index] }))),
    );
    expect(await readList(ana, 'dawn')).toContain('We open at nine');
    expect(await readList(ana, 'lunch')).not.toContain('We open at nine');
  });
});

test('the filter form offers the statuses pending, uncertain and failed', async () => {
  const ana = await submitPendingPost();
  const form = await askForForm(ana, '/upnext posts filter', 'Filter posts');
  await submitWith(form, { 'Which posts': ['Pending', 'Uncertain', 'Failed'] });
  const list = await ana.modal('Posts');
  expect(list.text()).toContain('We open at nine');
  await list.press('Filter');
  expect((await ana.modal('Filter posts')).value('Which posts')).toBe('Pending, Uncertain, Failed');
});
