import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { isReadingDeed } from '../../../src/access/access.ts';
import { features } from '../../../src/app/features.ts';
import { isListedDeed } from '../../../src/features/audit/audit.ts';
import { listDeeds } from '../../../src/features/audit/audit-sentence.ts';
import { listAuditRows } from '../../support/audit-record.ts';
import { submitWith } from '../../support/form-steps.ts';
import { holdPost, reviewedBy } from '../../support/hold-posts.ts';
import { data, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';
import { grantBen } from '../../support/two-projects.ts';

const { database, running, setPolicy, startBot } = setUpBot({ membersDefaultRole: null });

const POLICY = { ...reviewedBy('U02BENOKAF'), channel: 'C02HARBOUR' };

/** Ana owns the workspace. Ben is a Viewer, and the reviewer of the project. */
beforeEach(async () => {
  await startBot({ membersDefaultRole: null, limits: false });
  await setPolicy(POLICY);
  await grantBen(database.db, 'viewer', 'p1');
});

const TUESDAY = '2026-11-24T09:00:00Z';
const ana = () => running.workspace.as('Ana').in('#general');
const ben = () => running.workspace.as('Ben').in('#harbour-coffee');

const hold = (text: string) => holdPost(running, { text, at: TUESDAY, policy: POLICY });

/** Stores a post, and waits until Ben is asked to review it. */
async function request() {
  await hold('We open at nine');
  await ben().sees('Please review this post');
}

/** The newest lines of the audit log about Ben. Those of earlier tests follow, because nothing empties it. */
async function readDeeds(count = 1): Promise<string[]> {
  await ask(ana(), '/upnext audit ben', 'Audit log');
  return ((ana().messages().at(-1) ?? '').match(/(?<=@Ben Okafor ).*/g) ?? []).slice(0, count);
}

const countEntries = async () =>
  (await listAuditRows(database.db)).filter(({ actor }) => actor === 'U02BENOKAF').length;

describe('a Viewer who', () => {
  test('approves a post has one entry, which is stored with the approval', async () => {
    await request();
    await pressAndSee(ben(), 'Approve', 'approved this version.');
    const { rows } =
      await sql`select 1 from audit_entry join held_post_event as event on event.xmin = audit_entry.xmin
      where audit_entry.action = 'held-posts approve' and event.kind = 'approved'
        and event.actor = audit_entry.actor`.execute(database.db);
    expect(rows.length).toBeGreaterThan(0);
    expect(await readDeeds()).toEqual(['approved a post in Harbour Coffee']);
  });

  test('approves all posts of a list has one entry, which says how many they were', async () => {
    for (const text of ['We open at nine', 'We close at five']) await hold(text);
    await ask(ben(), '/upnext posts 24 nov', '[Approve all…]');
    await (await pressForForm(ben(), 'Approve all…', 'Approve all posts')).submit();
    await ben().sees('2 posts approved.');
    expect(await readDeeds()).toEqual(['approved a post in Harbour Coffee (2 times)']);
  });

  test.each([
    ['Request changes', 'What should change?', 'requested changes to a post'],
    ['Reject', 'Why?', 'rejected a post'],
  ])('presses [%s] has an entry', async (title, field, deed) => {
    await request();
    await submitWith(await pressForForm(ben(), title, title), { [field]: 'Too long' });
    expect(await readDeeds()).toEqual([`${deed} in Harbour Coffee`]);
  });

  test('comments has an entry', async () => {
    await hold('We open at nine');
    await ask(ben(), '/upnext posts 24 nov', 'We open at nine');
    await ben().press('Open');
    await ben().choose('More options', 'Comment');
    await submitWith(await ben().modal('Comment'), { 'Your comment': 'Too long' });
    expect(await readDeeds()).toEqual(['commented on a post in Harbour Coffee']);
  });

  test('presses a button of a review that another was faster with has an entry that says so', async () => {
    await request();
    await setPolicy({ ...reviewedBy('U03MIRAVOS'), channel: 'C02HARBOUR' });
    await pressAndSee(ben(), 'Approve', 'This post isn’t waiting for your review.');
    expect(await readDeeds()).toEqual(['tried to approve a post in Harbour Coffee, but nothing was done']);
  });

  test('exports posts has an entry', async () => {
    running.service.on('GET /posts', data([listedPost('We open at nine', TUESDAY)]));
    await ask(ben(), '/upnext posts 24 nov', '[Export as CSV]');
    await pressAndSee(ben(), 'Export as CSV', '1 post of Harbour Coffee, as CSV.');
    expect(await readDeeds()).toEqual(['exported posts as CSV in Harbour Coffee']);
  });

  test('only reads has none', async () => {
    const before = await countEntries();
    await hold('We open at nine');
    await ask(ben(), '/upnext posts 24 nov', 'We open at nine');
    await ask(ana(), '/upnext audit', 'udit log');
    expect(await countEntries()).toBe(before);
  });
});

test('a share of the next post has an entry with its channel', async () => {
  await grantBen(database.db, 'contributor', 'p1');
  await ask(ana(), '/upnext use harbour', 'This channel now follows Harbour Coffee');
  running.service.on('GET /upnext-post', data(listedPost('We open at nine', TUESDAY)));
  const inGeneral = running.workspace.as('Ben').in('#general');
  await ask(inGeneral, '/upnext next', '[Share with channel]');
  await pressAndSee(inGeneral, 'Share with channel', 'Shared with');
  expect(await readDeeds()).toEqual(['shared the next post in #general']);
});

/**
 * The deeds whose verbs say that they only show something, although they don't begin with “open” or “fill in”. What a form, a
 * menu or another command does afterwards has entries of its own, or concerns only the person.
 */
const WITHOUT_ENTRY = [
  ...['check Upnext’s status', 'check a file of posts', 'check a pending submission'],
  'check a post that may have been sent',
  ...['check a shared table of posts', 'check a table of posts', 'check the file of a message'],
  ...['preview a digest', 'start a post', 'use `/upnext digest`', 'use `/upnext use`', 'use `/upnext zone`'],
  ...['use a button in the Home tab', 'use a button of a role request', 'use a button of the connections'],
  ...['use a button of the list of roles', 'use a button of the time zone form'],
  ...['use a button that runs a command', 'use the menu of a digest'],
];

test('a new button needs a verb that says what it does, because the verb decides whether it has an entry', () => {
  const vague = [...new Set(listDeeds(features).values())].filter(
    (deed) => isReadingDeed(deed) && !/^(?:open|fill in) /.test(deed),
  );
  expect(vague.toSorted()).toEqual(WITHOUT_ENTRY);
});

test('whatever the verbs say changes or publishes something, or takes data out, is listed', () => {
  const deeds = [...new Set(listDeeds(features).values())].filter((deed) => !isReadingDeed(deed));
  const unlisted = deeds.filter((deed) => !isListedDeed(deed));
  expect(deeds.length).toBeGreaterThan(50);
  // What these forms send has entries of its own, and the filter changes nothing.
  for (const deed of unlisted) expect(deed).toMatch(/^(?:submit|confirm) the .*(?:form|filter)/);
});
