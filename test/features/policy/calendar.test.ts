import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  parseBlackouts,
  parsePostingTimes,
  renderBlackoutLine,
  renderBlackoutLines,
  renderPostingTimes,
} from '../../../src/features/policy/calendar-fields.ts';
import { findPolicy } from '../../../src/preferences/project-policy.ts';
import { renderRecurrence } from '../../../src/when/recurrence.ts';
import { NOW } from '../../support/bot.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost } from '../../support/hold-posts.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm } from '../../support/steps.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

/** A project's posting times and blackout days, as managers write them. */

const READER = { now: NOW, zone: 'Europe/Lisbon', locale: 'en-GB' };

describe('posting times', () => {
  test.each([
    ['LinkedIn: weekdays 9:00, 16:30', 'LinkedIn: weekdays at 09:00 and 16:30 (Lisbon)'],
    ['X and linked in: daily noon', 'X and LinkedIn: every day at 12:00 (Lisbon)'],
    ['tue and thu 10:00 berlin', 'All: Tue and Thu at 10:00 (Berlin)'],
    ['all: first monday of the month 9:00', 'All: the first Monday of every month at 09:00 (Lisbon)'],
    ['X: every other monday 9:00', 'X: every other Monday at 09:00, from 23 Nov 2026 (Lisbon)'],
    ['X: daily 9:00 except 24-26 dec', 'X: every day at 09:00 except 24 Dec 2026 to 26 Dec 2026 (Lisbon)'],
  ])('“%s” is read as “%s”, which is read the same in another zone', (text, rendered) => {
    const parsed = parsePostingTimes(text, READER);
    if (parsed.kind !== 'values') throw new Error(parsed.fault);
    expect(parsed.values.map(renderPostingTimes)).toEqual([rendered]);
    expect(parsePostingTimes(rendered, { ...READER, zone: 'America/New_York' })).toEqual(parsed);
  });

  test.each([
    ['Myspace: weekdays 9:00', 'I don’t know the platform “Myspace”.'],
    ['X: sometimes', 'I don’t understand “sometimes” as days and times.'],
    ['X 9:00', 'I need a colon after the platform.'],
    ['X - weekdays 9:00', 'I need a colon after the platform.'],
    ['X: every hour', 'I don’t understand “every hour” as days and times.'],
  ])('“%s” is refused with an example', (text, fault) => {
    const parsed = parsePostingTimes(`LinkedIn: daily 9:00\n${text}`, READER);
    expect(parsed.kind === 'fault' && parsed.fault).toBe(
      `“${text}”: ${fault} Write it like “LinkedIn: weekdays 9:00, 16:30”.`,
    );
  });

  test('after a semicolon are for the platforms before it', () => {
    const text =
      'LinkedIn: weekdays 9:00; weekends 11:00;; X: daily noon; all: daily 14:00\ndaily 8:00; mondays 7:00';
    const parsed = parsePostingTimes(text, READER);
    if (parsed.kind !== 'values') throw new Error(parsed.fault);
    expect(parsed.values.map(renderPostingTimes)).toEqual([
      'LinkedIn: weekdays at 09:00 (Lisbon)',
      'LinkedIn: weekends at 11:00 (Lisbon)',
      'X: every day at 12:00 (Lisbon)',
      'All: every day at 14:00 (Lisbon)',
      'All: every day at 08:00 (Lisbon)',
      'All: every Monday at 07:00 (Lisbon)',
    ]);
  });

  test('of a manager whose zone isn’t known need one', () => {
    const reader = { ...READER, zone: undefined };
    expect(parsePostingTimes('X: daily 9:00', reader)).toEqual({
      kind: 'fault',
      fault:
        '“X: daily 9:00”: I don’t know your time zone, so I need one here. Write it like “LinkedIn: weekdays 9:00, 16:30 in Berlin”.',
    });
    const parsed = parsePostingTimes('LinkedIn: weekdays 9:00, 16:30 in Berlin', reader);
    if (parsed.kind !== 'values') throw new Error(parsed.fault);
    expect(parsed.values.map(renderPostingTimes)).toEqual(['LinkedIn: weekdays at 09:00 and 16:30 (Berlin)']);
  });

  test('with too many lines or times are refused', () => {
    const parsed = parsePostingTimes('daily 9:00\n'.repeat(41), READER);
    expect(parsed).toEqual({ kind: 'fault', fault: 'At most 40 lines.' });
    const often = parsePostingTimes('every day 8:00, 9:00, 10:00, 11:00, 12:00\n'.repeat(5), READER);
    expect(often).toEqual({ kind: 'fault', fault: 'At most 168 posting times a week.' });
  });
});

describe('blackout days', () => {
  test.each([
    ['24–26 Dec: Christmas', '24 Dec 2026 to 26 Dec 2026: Christmas'],
    ['1 jan', '1 Jan 2027'],
    ['2026-12-31:New Year’s Eve', '31 Dec 2026: New Year’s Eve'],
    ['christmas: Office closed', '25 Dec 2026: Office closed'],
    ['1-14 Aug: Summer break', '1 Aug 2027 to 14 Aug 2027: Summer break'],
    ['19 nov', '19 Nov 2027'],
    ['july', '1 Jul 2027 to 31 Jul 2027'],
    ['19 nov 2026', '19 Nov 2026'],
  ])('“%s” is read as “%s”, which is read the same', (text, rendered) => {
    const parsed = parseBlackouts(text, READER);
    if (parsed.kind !== 'values') throw new Error(parsed.fault);
    expect(parsed.values.map(renderBlackoutLine)).toEqual([rendered]);
    expect(parseBlackouts(rendered, READER)).toEqual(parsed);
  });

  test('that have passed are refused, and left out of the form', () => {
    const parsed = parseBlackouts('12 March 2020: Shop', READER);
    expect(parsed.kind === 'fault' && parsed.fault).toContain(
      '“12 March 2020: Shop”: These days have passed.',
    );
    const [past, today] = ['2026-11-18', '2026-11-20'].map((day) => ({ from: day, to: day, name: '' }));
    if (past && today) expect(renderBlackoutLines([past, today], NOW)).toBe('20 Nov 2026');
  });

  test.each(['someday: Nothing', '1 Dec 2026 to 1 Dec 2028: Long'])(
    '“%s” is refused with an example',
    (text) => {
      const parsed = parseBlackouts(text, READER);
      expect(parsed.kind === 'fault' && parsed.fault).toContain('Write it like “24–26 Dec: Christmas”.');
    },
  );

  test('whose lines don’t fit into the form, written out, are refused', () => {
    const parsed = parseBlackouts(`24-25 Dec: ${'n'.repeat(60)}\n`.repeat(40), READER);
    expect(parsed).toEqual({ kind: 'fault', fault: 'Written out, these lines are 559 characters too long.' });
  });

  describe('of a manager whose zone isn’t known', () => {
    const reader = { ...READER, zone: undefined };

    test.each(['tomorrow: Holiday', 'today', 'tomorrow to 24 dec'])('“%s” needs dates', (text) =>
      expect(parseBlackouts(text, reader)).toEqual({
        kind: 'fault',
        fault: `“${text}”: I don’t know your time zone, so I need dates here. Write it like “24–26 Dec: Christmas”.`,
      }),
    );

    test.each([
      ['24–26 Dec: Christmas', '24 Dec 2026 to 26 Dec 2026: Christmas'],
      ['christmas', '25 Dec 2026'],
      ['1 Dec 2027 to 3 Dec 2027', '1 Dec 2027 to 3 Dec 2027'],
      ['tomorrow in Berlin', '21 Nov 2026'],
    ])('“%s” is read as “%s”', (text, rendered) => {
      const parsed = parseBlackouts(text, reader);
      if (parsed.kind !== 'values') throw new Error(parsed.fault);
      expect(parsed.values.map(renderBlackoutLine)).toEqual([rendered]);
    });

    test('are refused for what isn’t understood', () => {
      const parsed = parseBlackouts('someday: Nothing', reader);
      expect(parsed.kind === 'fault' && parsed.fault).toContain('I don’t understand “someday” as days.');
    });
  });
});

describe('the form', () => {
  const { database, running, setPolicy, startBot } = setUpBot();
  const key = { workspace: 'T01HARBOUR', project: 'p1' };
  const ana = () => running.workspace.as('Ana').in('#general');
  beforeEach(async () => {
    await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer', owners: { kind: 'emulator' } });
    await setPolicy({ leadMinutes: 60 });
  });
  async function showDays(form: Awaited<ReturnType<typeof askForForm>>) {
    for (const label of ['Posting times', 'Blackout days']) {
      await form.press(label);
      await expect.poll(() => form.labels()).toContain(label);
    }
    return form;
  }
  async function openForm() {
    return showDays(await askForForm(ana(), '/upnext policy Harbour Coffee', 'Policy', 'Change policy'));
  }

  test('saves posting times and blackout days, shows and records them', async () => {
    const form = await openForm();
    await form.fill('Posting times', 'LinkedIn: weekdays 9:00, 16:30\nX: daily noon');
    const saved = (await submitWith(form, { 'Blackout days': '24–26 Dec: Christmas' })).view?.text();
    expect(saved).toContain('Slots for LinkedIn: weekdays at 09:00 and 16:30 (Lisbon)');
    expect(saved).toContain('Blackout: 24 Dec 2026 to 26 Dec 2026: Christmas');
    const { postingTimes, blackouts } = await findPolicy(database.db, key);
    expect(
      postingTimes.map(({ platforms, recurrence }) => [platforms, renderRecurrence(recurrence)]),
    ).toEqual([
      [['LINKEDIN'], 'weekdays at 09:00 and 16:30 (Lisbon)'],
      [['X'], 'every day at 12:00 (Lisbon)'],
    ]);
    expect(blackouts).toEqual([{ from: '2026-12-24', to: '2026-12-26', name: 'Christmas' }]);
    await ana().type('/upnext audit');
    await ana().sees(
      'posting times from none to “LinkedIn: weekdays at 09:00 and 16:30 (Lisbon) | X: every day',
    );
    await ana().sees('blackout days from none to “2026-12-24 to 2026-12-26: Christmas”');
  });

  test('can be saved after some posting times have ended', async () => {
    const postingTimes = [
      createPostingTimes(['X'], 'daily noon'),
      createPostingTimes(['X'], 'daily 9:00, until 1 nov 2026', { now: new Date('2026-10-01T12:00Z') }),
    ];
    await setPolicy({ leadMinutes: 60, postingTimes });
    const form = await openForm();
    await form.fill('Blackout days', '24–26 Dec: Christmas');
    expect((await form.submit()).view?.text()).toContain('Blackout: 24 Dec 2026');
    expect((await findPolicy(database.db, key)).postingTimes).toEqual([postingTimes[0]]);
  });

  const saveBlackouts = async (...lines: readonly string[]) => {
    const form = await openForm();
    return (await submitWith(form, { 'Blackout days': lines.join('\n') })).view?.text() ?? '';
  };

  test('says which posts are on new blackout days', async () => {
    await holdPost(running, { text: 'Merry', at: '2026-12-24T23:30Z' });
    await holdPost(running, { text: 'After', at: '2026-12-27T00:30Z' });
    const saved = await saveBlackouts('24–26 Dec: Christmas');
    expect(saved).toContain('1 post that I keep is still planned on new blackout days.');
    expect(saved).toContain('See /upnext posts Harbour Coffee 24 Dec 2026 to 26 Dec 2026.');
    await ana().type('/upnext use Night Market Books');
    await ask(ana(), '/upnext posts Harbour Coffee 24 Dec 2026 to 26 Dec 2026', 'Merry');
  });

  test('counts each post on new blackout days once, and none on earlier ones', async () => {
    await setPolicy({ leadMinutes: 60, blackouts: [{ from: '2026-12-24', to: '2026-12-24', name: '' }] });
    for (const day of [24, 25, 26]) await holdPost(running, { text: `${day}`, at: `2026-12-${day}T12:00Z` });
    expect(await saveBlackouts('24–26 Dec', '25–27 Dec')).toContain(
      '2 posts that I keep are still planned on new blackout days. See /upnext posts Harbour Coffee 24 Dec 2026 to 26 Dec 2026.',
    );
  });

  test('counts no posts that won’t go out', async () => {
    const { id } = await holdPost(running, { text: 'Merry', at: '2026-12-24T23:30Z' });
    await changeHeldPosts(database, { state: 'needs-person', reason: 'refused', next_at: null }, id);
    expect(await saveBlackouts('24–26 Dec: Christmas')).not.toContain('new blackout days');
  });

  test('says how many new blackouts with posts it doesn’t name', async () => {
    const days = [1, 2, 3, 4, 5];
    for (const day of days) await holdPost(running, { text: `${day}`, at: `2026-12-0${day}T12:00Z` });
    expect(await saveBlackouts(...days.map((day) => `${day} Dec`))).toContain(
      'Coffee 2 Dec 2026, /upnext posts Harbour Coffee 3 Dec 2026 and 2 more blackouts.',
    );
  });

  const NOT_COUNTED =
    'I couldn’t count the posts that I keep on new blackout days. See /upnext posts Harbour Coffee 24 Dec 2026 to 26 Dec 2026.';

  test('says that posts on new blackout days couldn’t be counted, if one of them can’t be read', async () => {
    await holdPost(running, { text: 'Merry', at: '2026-12-24T23:30Z' });
    await changeHeldPosts(database, { content: 'unreadable' });
    expect(await saveBlackouts('24–26 Dec: Christmas')).toContain(NOT_COUNTED);
  });

  test('says that the policy is saved although the posts on new blackout days couldn’t be counted', async () => {
    const form = await openForm();
    await form.fill('Blackout days', '24–26 Dec: Christmas');
    await sql`alter table held_post rename column publish_at to away`.execute(database.db);
    try {
      const saved = (await form.submit()).view?.text();
      expect(saved).toContain('Saved for Harbour Coffee.');
      expect(saved).toContain(NOT_COUNTED);
    } finally {
      await sql`alter table held_post rename column away to publish_at`.execute(database.db);
    }
  });

  test('saves no blackout day that can be another one in the person’s unknown zone', async () => {
    await ask(ana(), '/upnext policy Harbour Coffee', '[Change policy]');
    failSlack(running, { method: 'users.info', fault: 'error', error: 'internal_error' });
    const form = await showDays(await pressForForm(ana(), 'Change policy', 'Policy'));
    await form.fill('Blackout days', 'tomorrow: Holiday');
    expect(Object.values((await form.submit()).errors ?? {})).toEqual([
      '“tomorrow: Holiday”: I don’t know your time zone, so I need dates here. Write it like “24–26 Dec: Christmas”.',
    ]);
    await form.fill('Blackout days', '21 Nov: Holiday');
    expect((await form.submit()).view?.text()).toContain('Blackout: 21 Nov 2026: Holiday');
  });

  test('says below each field what it doesn’t understand', async () => {
    const form = await openForm();
    await fillIn(form, { 'Posting times': 'LinkedIn: now and then', 'Blackout days': 'when it rains' });
    const { errors } = await form.submit();
    expect(Object.values(errors ?? {})).toEqual([
      '“LinkedIn: now and then”: I don’t understand “now and then” as days and times. Write it like “LinkedIn: weekdays 9:00, 16:30”.',
      '“when it rains”: I don’t understand “when it rains” as days. Write it like “24–26 Dec: Christmas”.',
    ]);
  });
});
