import { describe, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { openFilledForm, submitAndClose, submitFilledForm } from '../../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, hang, json, later, listedPost } from '../../support/scripted-service.ts';
import { failSlack, RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askForForm, chooseAndSee, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot({ pace: RECEIPT_PACE });

/** A post as the service lists it. */
const LISTED = { Content: 'We open at nine', Platforms: ['X'], ScheduleDate: '2026-11-20T13:00:00Z' };

const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');

/** Lists what only Ana sees in the channel. */
const listEphemeralMessages = () => {
  const others = as('Ben').messages('#harbour-coffee');
  return as('Ana')
    .messages('#harbour-coffee')
    .filter((message) => !others.includes(message));
};

/** Reads Ana's messages from Upnext. */
const readDirectMessages = async () =>
  (await running.workspace.as('Ana').inDirectMessage()).messages().join();

async function expectNoPendingNotification() {
  const rows = await database.db.selectFrom('submission').select('notify_at').execute();
  expect(rows.map(({ notify_at }) => notify_at)).toEqual(rows.map(() => null));
}

test('without a receipt, the form shows the result in a channel that Upnext isn’t in', async () => {
  running.workspace.admin.addChannel('#away', { members: ['Ana'] });
  const ana = running.workspace.as('Ana').in('#away');
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: '1 Dec 9am' });
  expect((await form.submit()).view?.title()).toBe('Scheduled');
  expect(await readDirectMessages()).not.toContain('Scheduled ·');
});

test('without a receipt, the form shows the result if the service was slow', async () => {
  await startBot({ pace: { acknowledgementTimeoutMs: 100 } });
  running.service.on('POST /posts', later(300, data({ Id: 'made' })));
  await (await submitFilledForm(running)).ana.modal('Scheduled');
  expect(listEphemeralMessages()).toEqual([]);
});

test('the form closes, and its author reads once in the channel what was scheduled', async () => {
  const { ana, closed, errors } = await submitFilledForm(running);
  expect({ closed, errors }).toEqual({ closed: true, errors: {} });
  await ana.sees('🗓️ Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
  await ana.sees('[New post] [Duplicate] [Share]');
  expect(listEphemeralMessages()).toHaveLength(1);
  await expect.poll(expectNoPendingNotification).toBeUndefined();
  expect(await readDirectMessages()).not.toContain('Scheduled ·');
});

test('the receipt says that the post is final, and offers once to keep later ones editable', async () => {
  const { ana } = await submitFilledForm(running);
  await ana.sees('You can no longer edit or delete it from Slack.');
  await pressAndSee(
    ana,
    'Keep later posts editable',
    'From the next one on, posts stay editable until 1 hour',
  );
  expect(listEphemeralMessages().join()).not.toContain('[Keep later posts editable]');
  const policy = database.db.selectFrom('project_policy').select('lead_minutes');
  expect(await policy.executeTakeFirst()).toEqual({ lead_minutes: 60 });
});

test('what a receipt has offered for a project isn’t offered again, and never to whoever can’t choose it', async () => {
  await startBot({ pace: RECEIPT_PACE, membersDefaultRole: 'publisher' });
  const readReceipt = async (name: string, text: string) => {
    const person = as(name);
    const form = await askForForm(person, '/schedule-post', 'Schedule a post');
    await submitWith(form, { Text: text, Platforms: ['X'], When: '1 Dec 9am' });
    await person.sees(text);
    return person.messages().findLast((message) => message.includes(text));
  };
  expect(await readReceipt('Ben', 'One')).not.toContain('Keep later posts editable');
  expect(await readReceipt('Ana', 'Two')).toContain('Keep later posts editable');
  expect(await readReceipt('Ana', 'Three')).not.toContain('Keep later posts editable');
});

test('a receipt that Slack refused offers nothing, so the next one does', async () => {
  failSlack(running, { method: 'chat.postEphemeral', fault: 'error', error: 'internal_error' });
  await submitAndClose(running);
  running.workspace.faults.set({ webApi: [] });
  const { ana } = await submitFilledForm(running, { text: 'Another one' });
  await ana.sees('[Keep later posts editable]');
});

test('in a direct message with Upnext, the receipts of a post and of its duplicate are shown there', async () => {
  const ana = await running.workspace.as('Ana').inDirectMessage();
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: '1 Dec 9am' });
  expect((await form.submit()).closed).toBe(true);
  await ana.sees('🗓️ Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
  const copy = await pressForForm(ana, 'Duplicate', 'Schedule a post');
  const values = ['Text', 'Platforms', 'When'].map((label) => copy.value(label));
  expect(values).toEqual(['We open at nine', 'X', '']);
  expect((await submitWith(copy, { When: '2 Dec 9am' })).closed).toBe(true);
  await ana.sees('🗓️ Scheduled · Wed 2 Dec, 09:00 (Lisbon)');
  expect(ana.read()).not.toContain('Share');
  await expect.poll(expectNoPendingNotification).toBeUndefined();
});

test('a post for three times gets one receipt, whose [Share] shares all three in one message', async () => {
  const { ana, form } = await openFilledForm(running, { when: 'mon, wed and fri 9am' });
  expect((await form.submit()).closed).toBe(true);
  await seeAll(ana, '3 posts scheduled', 'Mon 23 Nov, 09:00 (Lisbon)');
  expect(listEphemeralMessages()).toHaveLength(1);
  expect(ana.read().match(/\[Share\]/g)).toHaveLength(1);
  const countBefore = as('Ben').messages('#harbour-coffee').length;
  await pressAndSee(ana, 'Share', 'Shared with #harbour-coffee.');
  const shared = as('Ben').messages('#harbour-coffee').slice(countBefore);
  expect(shared).toHaveLength(1);
  expect(shared[0]).toContain('We open at nine');
  expectParts(shared[0], 'November 23rd', 'November 25th', 'November 27th');
  expect(ana.read()).not.toContain('[Share]');
});

test.each([
  ['it went out', data([{ Id: 'made', Status: 'PUBLISHED', ...LISTED }]), 'published', 'Published'],
  ['I don’t know yet', json(500, {}), 'checking', 'Not confirmed yet'],
])('[Share] after its time says that %s', async (_, answer, state, title) => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  running.service.on('POST /posts', data({ Id: 'made' }));
  const { ana } = await submitFilledForm(running, { when: 'today 13:00' });
  await ana.sees('🗓️ Scheduled ·');
  running.service.on('GET /posts', answer);
  running.workspace.clock.advance(90 * 60_000);
  await expect
    .poll(async () => {
      await running.bot.engine.runOnce();
      return database.db.selectFrom('publication').select('state').execute();
    })
    .toEqual([{ state }]);
  const countBefore = as('Ben').messages('#harbour-coffee').length;
  await pressAndSee(ana, 'Share', 'Shared with #harbour-coffee.');
  const [shared = ''] = as('Ben').messages('#harbour-coffee').slice(countBefore);
  expect(shared).toMatch(new RegExp(`^\\S+ ${title} · `));
  expect(shared).not.toContain('Overdue');
});

test('at Home, the form shows one result for several times', async () => {
  await (await as('Ana').home('New post')).press('New post');
  const form = await as('Ana').modal('Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: 'mon and wed 9am' });
  const { view } = await form.submit();
  expect(view?.title()).toBe('Scheduled');
  expect(view?.text()).toContain(
    '2 posts scheduled\nHarbour Coffee · X\nWe open at nine\nMon 23 Nov, 09:00 (Lisbon)\n[Open]\nWed 25 Nov, 09:00 (Lisbon)\n[Open]',
  );
  expect(view?.text().match(/\[Duplicate\]/g)).toHaveLength(1);
});

describe.each(['socket', 'http'] as const)('a post scheduled with Slack in %s mode', (mode) => {
  test('a post is confirmed with project, time, platforms and text, and reaches the service unchanged', async () => {
    await startBot({ mode, isEmulated: true });
    const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
    expect(form.labels()).toEqual(['Text', 'Platforms', 'When']);
    expect(form.text()).toContain('For Harbour Coffee · ');
    await fillIn(form, { Text: 'We open at nine <!channel> & <b>', Platforms: ['X', 'LinkedIn'] });
    await form.fill('When', '1 Dec 9am');
    await ana.sees('Tue 1 Dec, 09:00 (Lisbon)');
    const submitted = await form.submit();
    expect(submitted.errors).toEqual({});
    expect(submitted.closed).toBe(true);
    await ana.sees('Scheduled · Tue 1 Dec, 09:00 (Lisbon)');
    const text = ana.messages('#harbour-coffee').at(-1);
    expectParts(text, 'Harbour Coffee ·', 'X and LinkedIn', 'We open at nine <!channel> & <b>');
    expect(running.service.created()).toEqual([
      {
        Content: 'We open at nine <!channel> & <b>',
        ScheduleDate: '2026-12-01T09:00:00+00:00',
        Timezone: 'Europe/Lisbon',
        Platforms: ['X', 'LINKEDIN'],
        Status: 'SCHEDULED',
      },
    ]);
    await pressAndSee(ana, 'Share', 'Shared with');
    const sharedMessage = as('Ben').messages('#harbour-coffee').at(-1);
    expectParts(sharedMessage, 'We open at nine <!channel> & <b>', 'by Ana Ferreira');
    await pressForForm(ana, 'New post', 'Schedule a post');
    expect(running.logged.filter((line) => line.includes('We open'))).toEqual([]);
  });
});

test('a post that its author has shared from the receipt says there that it failed', async () => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  running.service.on('POST /posts', data({ Id: 'made' }));
  const { ana } = await submitFilledForm(running, { when: 'today 13:00' });
  await pressAndSee(ana, 'Share', 'Shared with');
  running.service.on('GET /posts', data([{ Id: 'made', Status: 'FAILED', ...LISTED }]));
  running.workspace.clock.advance(90 * 60_000);
  await expect
    .poll(async () => {
      await running.bot.engine.runOnce();
      return as('Ben')
        .messages('#harbour-coffee')
        .filter((text) => text.includes('We open'));
    })
    .toEqual([expect.stringContaining('❌ Failed · ')]);
});

test('a post that was shared from its card isn’t shared again with the other times of its form, and the other way round', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running, { when: 'mon and wed 9am' });
  await form.submit();
  const readShared = () =>
    as('Ben')
      .messages('#harbour-coffee')
      .filter((text) => text.includes('We open'));
  await ana.press('Open: Mon 23 Nov, 09:00');
  await ana.sees('X · Harbour Coffee · by @Ana Ferreira');
  await chooseAndSee(ana, 'More options', 'Share', 'Shared with #harbour-coffee.');
  await ana.sees('2 posts scheduled');
  await ana.press('Share');
  await expect.poll(readShared).toHaveLength(2);
  expect(readShared()[1]).toContain('November 25th');
  expect(readShared()[1]).not.toContain('November 23rd');
  await ana.press('Open: Wed 25 Nov, 09:00');
  await chooseAndSee(ana, 'More options', 'Share', 'I already shared this');
  expect(readShared()).toHaveLength(2);
});

test('somebody else duplicates a shared post into the channel where they are, if their role allows it', async () => {
  await startBot({ membersDefaultRole: 'contributor' });
  const { ana } = await submitFilledForm(running);
  await pressAndSee(ana, 'Share', 'Shared with');
  const copy = await pressForForm(as('Ben'), 'Duplicate', 'Schedule a post');
  expect(['Text', 'When'].map((label) => copy.value(label))).toEqual(['We open at nine', '']);
  await copy.close();
  await database.db.updateTable('access_grant').set({ role: 'viewer' }).execute();
  await pressAndSee(as('Ben'), 'Duplicate', 'To schedule posts');
});

test('posts of a form that aren’t in the same state any more are shown each with its own', async () => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  running.service.on('POST /posts', data({ Id: 'made' }));
  const { ana, form } = await openFilledForm(running, { when: 'today 13:00 and mon 9am' });
  await form.submit();
  await ana.sees('2 posts scheduled');
  running.service.on('GET /posts', data([{ Id: 'made', Status: 'FAILED', ...LISTED }]));
  running.workspace.clock.advance(90 * 60_000);
  await expect
    .poll(async () => {
      await running.bot.engine.runOnce();
      return database.db.selectFrom('publication').select('state').where('state', '=', 'failed').execute();
    })
    .toHaveLength(1);
  await pressAndSee(ana, 'Keep later posts editable', 'From the next one on');
  await seeAll(ana, '❌ Failed · Fri 20 Nov, 13:00', '🗓️ Scheduled · Mon 23 Nov, 09:00');
  expect(ana.read()).not.toContain('2 posts scheduled');
});

test('[Share] of a receipt shares the post once', async () => {
  await startBot();
  const { ana } = await submitFilledForm(running);
  await pressAndSee(ana, 'Share', 'Shared with');
  const readShared = () =>
    as('Ben')
      .messages('#harbour-coffee')
      .filter((text) => text.includes('We open'));
  expect(readShared()).toHaveLength(1);
  await pressAndSee(ana, 'Share', 'already shared');
  expect(readShared()).toHaveLength(1);
});

describe('if the outcome isn’t known', () => {
  const foundPosts = [
    listedPost('We open at nine', '2026-12-01T09:00:00+00:00', { Id: 'a', Timezone: 'Europe/Lisbon' }),
  ];

  /** A pace with two checks, after which the author is asked. */
  const PACE = { reconcileDelaysMs: [20, 40] };

  /** Submits a post that the service may have, and returns the question to its author. */
  async function submitUnknown() {
    await startBot({ pace: PACE });
    running.service.on('POST /posts', json(500, 'oops'));
    const { ana } = await submitFilledForm(running);
    return { ana, view: await ana.modal('Not sure') };
  }

  test('if a post may be on an unread page, its author is asked, and the post isn’t called missing', async () => {
    await startBot({ pace: { ...RECEIPT_PACE, ...PACE } });
    running.service.on('POST /posts', json(500, 'oops'));
    const otherPosts = Array.from({ length: 600 }, (_, index) => ({
      ...foundPosts[0],
      Id: `o${index}`,
      Content: 'Another',
    }));
    running.service.on('GET /posts', data(otherPosts));
    const { ana } = await submitFilledForm(running);
    expect((await ana.modal('Not sure')).text()).not.toContain('I couldn’t find your post');
  });

  test('a post with an unknown outcome is checked before its author is asked, and [Check again] sends nothing', async () => {
    const { ana, view } = await submitUnknown();
    expectParts(view.text(), 'I couldn’t find your post', 'Tue 1 Dec, 09:00 (Lisbon)', 'We open at nine');
    expect(view.text()).toContain('[Check again] [Send again] [Discard]');
    await view.press('Check again');
    await ana.sees('Not there as of 12:00:00');
    running.service.on('GET /posts', data([{ ...foundPosts[0], Content: 'We open at ten' }, ...foundPosts]));
    await view.press('Check again');
    await ana.sees('The scheduling service publishes it at its time.');
    const lastCheck = running.service.calls.findLast(
      ({ method, path }) => method === 'GET' && path.endsWith('/posts'),
    );
    expect(lastCheck?.query.get('schedule_date_from')).toBe('2026-12-01T08:59:00.000Z');
    expect(lastCheck?.query.get('schedule_date_to')).toBe('2026-12-01T09:01:00.000Z');
    expect(running.service.created()).toHaveLength(1);
  });

  test('a post that a check finds is reported in the form', async () => {
    await startBot({ pace: { reconcileDelaysMs: [400] } });
    running.service.on('POST /posts', (_call, response) => {
      running.service.on('GET /posts', data(foundPosts));
      response.destroy();
    });
    const { ana, form } = await openFilledForm(running);
    expect((await form.submit()).view?.text()).toContain('so I’m checking. I won’t send it twice.');
    await ana.sees('Scheduled ·');
    expect(running.service.created()).toHaveLength(1);
  });

  test('a post that a check finds appears at Home, although its author did nothing', async () => {
    await startBot({ pace: { reconcileDelaysMs: [1_500] } });
    const isCheck = (query: URLSearchParams) =>
      query.get('schedule_date_from') === '2026-12-01T08:59:00.000Z';
    running.service.on('POST /posts', (_call, response) => {
      running.service.on('GET /posts', (call, answer) => {
        if (isCheck(call.query)) running.service.on('GET /upnext-post', data(foundPosts[0]));
        return data(isCheck(call.query) ? foundPosts : [])(call, answer);
      });
      response.destroy();
    });
    const { ana, form } = await openFilledForm(running);
    await ana.home('Nothing is scheduled.');
    await form.submit();
    await ana.home('We open at nine');
  });

  test('an older post with the same values is not mistaken for the new post', async () => {
    await startBot({ pace: PACE });
    running.service.on('GET /posts', data(foundPosts));
    running.service.on('POST /posts', json(500, 'oops'));
    await (await submitFilledForm(running)).ana.modal('Not sure');
  });

  test('a draft with the same text is not mistaken for the scheduled post', async () => {
    const { ana, view } = await submitUnknown();
    running.service.on('GET /posts', data([{ ...foundPosts[0], Status: 'DRAFT' }]));
    await view.press('Check again');
    await ana.sees('Not there');
    running.service.on('GET /posts', data([{ ...foundPosts[0], Status: 'PUBLISHED' }]));
    await view.press('Check again');
    await ana.sees('The scheduling service publishes it at its time.');
  });

  test('[Send again] checks once more before it sends', async () => {
    const { ana, view } = await submitUnknown();
    running.service.on('POST /posts', data({ Id: 'made' }));
    running.service.on('GET /posts', data(foundPosts));
    await view.press('Send again', { dialog: 'confirm' });
    await ana.sees('The scheduling service publishes it at its time.');
    expect(running.service.created()).toHaveLength(1);
  });

  test('[Send again] sends a post that is still missing only once, even if it is pressed twice', async () => {
    const { ana, view } = await submitUnknown();
    running.service.on('POST /posts', later(50, data({ Id: 'made' })));
    const press = () => view.press('Send again', { dialog: 'confirm' });
    await Promise.all([press(), press()]);
    await ana.sees('The scheduling service publishes it at its time.');
    expect(running.service.created()).toHaveLength(2);
  });

  test('because the service does not respond, it stays so, whatever the author presses in the meantime', async () => {
    await startBot({ maxCallMs: 600, pace: { acknowledgementTimeoutMs: 200, ...PACE } });
    running.service.on('POST /posts', hang);
    const { ana, form } = await openFilledForm(running);
    const [firstResult, secondResult] = await Promise.all([form.submit(), form.submit()]);
    expect([firstResult.view?.title(), secondResult.view?.title()]).toContain('Sending…');
    const view = await ana.modal('Not sure');
    expect(running.service.created()).toHaveLength(1);
    running.service.on('GET /posts', hang);
    await view.press('Check again');
    await seeAll(ana, 'Checking…', 'I couldn’t check at');
    expect(running.service.created()).toHaveLength(1);
  });
});
