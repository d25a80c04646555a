import { beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../../src/access/access.ts';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { emptyAuditRecord } from '../../support/audit-record.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { expectParts, expectValues } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { insertPost } from '../../support/post-submissions.ts';
import { data, json, later, listedPost, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, pressAndSee, pressForForm } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, ben, database, running, startBot } = setUpBot();

beforeEach(async () => {
  // People share a card more than a second after they invited the bot.
  await startBot({ isEmulated: true, limits: false });
});

const post = listedPost('New roast <!channel> today', '2026-12-01T09:00:00+01:00', {
  Id: 'a',
  Timezone: 'Europe/Berlin',
  Platforms: ['X', 'MYSPACE'],
});

test('the next post is shown with its date, zone, platforms, text and project', async () => {
  running.service.on('GET /upnext-post', data(post));
  await ask(ana, '/upnext', 'Up next · Tue 1 Dec, 08:00 (09:00 Berlin)');
  const card = ana.messages().at(-1) ?? '';
  expectParts(card, 'New roast <!channel> today', '🗓️ Scheduled · X and MYSPACE · Harbour Coffee');
  expect(card).not.toContain('Practice service');
  const othersMessages = running.workspace.as('Ben').in('#harbour-coffee').messages();
  expect(othersMessages.join()).not.toContain('New roast');
});

test('somebody’s only project isn’t shared with a channel for which nobody has chosen it', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'viewer', 'p1');
  running.service.on('GET /upnext-post', data(post));
  await ask(ben, '/upnext', 'New roast');
  expect(ben.read()).not.toContain('Share with channel');
});

test('a post without text says that its text comes from a template', async () => {
  running.service.on('GET /upnext-post', data({ ...post, TemplateId: 'template_7' }));
  await ask(ana, '/upnext', 'New roast');
  expect(ana.messages().join()).not.toContain('template_7');
  running.service.on('GET /upnext-post', data({ ...post, Content: '', TemplateId: 'template_7' }));
  await ask(ana, '/upnext', 'Text from a template');
  expect(ana.messages().join()).not.toContain('template_7');
});

test('[Duplicate] opens the form with the post of the card, but only for the person who received the card', async () => {
  running.service.on('GET /upnext-post', data(post));
  await ana.type('/upnext');
  await ana.choose('More options', 'Duplicate');
  const form = await ana.modal('Schedule a post');
  expectValues(form, { Text: 'New roast <!channel> today', Platforms: 'X', When: '' });
  await form.close();
  await pressAndSee(ana, 'Share with channel', 'Shared with');
  await (await pressForForm(ana, 'Duplicate', 'Schedule a post')).close();
  await database.db.updateTable('open_form').set({ author: 'U02BENOKAF' }).execute();
  await pressAndSee(ana, 'Duplicate', 'isn’t yours, or it’s too old');
});

test('if nothing is scheduled, /upnext says what to do, and its button opens the form', async () => {
  await ask(ana, '/upnext next', 'Nothing is scheduled for Harbour Coffee.');
  await ana.press('Schedule a post');
  expect((await ana.modal('Schedule a post')).text()).toContain('For Harbour Coffee · ');
});

test.each([
  ['a refused token', 'GET /upnext-post', json(403, {}), 'My access token isn’t allowed to do this'],
  ['a record that cannot be read', 'GET /upnext-post', data('tomorrow'), 'I can’t read its answer'],
  ['projects that cannot be read', 'GET /projects', data(7), 'I can’t read its answer'],
  ['only projects that cannot be read', 'GET /projects', data([{}]), 'I can’t read its answer'],
  ['no projects', 'GET /projects', listProjects(), 'There’s no project yet'],
])('/upnext explains %s', async (_problem, call, respond, text) => {
  running.service.on(call, respond);
  await ask(ana, '/upnext', text);
});

test('a form says that it can’t read the projects, not that there are none', async () => {
  running.service.on('GET /projects', data([{}]));
  await ask(ana, '/schedule-post', 'The scheduling service answered, but I can’t read its projects.');
});

test('/upnext says that the service is down', async () => {
  await running.service.stop();
  await ask(ana, '/upnext', 'The scheduling service isn’t answering.');
});

test.each(['/upnext', '/upnext projects'])(
  'a failed %s can be tried again with a button',
  async (command) => {
    running.service.on('GET /projects', json(503, {}));
    await ask(ana, command, 'I couldn’t');
    const messageCount = ana.messages().length;
    running.service.on('GET /projects', listProjects('Harbour Coffee'));
    await pressAndSee(ana, 'Try again', 'Harbour Coffee');
    expect(ana.messages()).toHaveLength(messageCount);
  },
);

test('the words after /upnext next are still there when it is tried again', async () => {
  running.service.on('GET /projects', json(503, {}));
  await ask(ana, '/upnext next week roast', 'I couldn’t');
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([]));
  await ana.press('Try again');
  await expect.poll(() => ana.messages().at(-1)).toContain('“roast”');
});

const readOthersMessages = () => running.workspace.as('Ben').in('#harbour-coffee').messages().join('\n');

test('a refreshed card replaces the old card', async () => {
  running.service.on('GET /upnext-post', data(post));
  await ask(ana, '/upnext', 'New roast');
  const messageCount = ana.messages().length;
  running.service.on('GET /upnext-post', data({ ...post, Content: 'Old roast' }));
  await pressAndSee(ana, 'Refresh', 'Old roast', 'As of');
  expect(ana.messages()).toHaveLength(messageCount);
  running.service.on('GET /upnext-post', json(401, {}));
  await pressAndSee(ana, 'Refresh', 'refused my access token');
  expect(ana.messages()).toHaveLength(messageCount);
});

test('the card is shared with the channel once, even if the button is pressed twice', async () => {
  running.service.on('GET /upnext-post', data(post));
  await ana.type('/upnext');
  await Promise.all([ana.press('Share with channel'), ana.press('Share with channel')]);
  await ana.sees('#harbour-coffee');
  await expect.poll(() => readOthersMessages().match(/New roast/g)?.length).toBe(1);
  expect(readOthersMessages()).not.toContain('Refresh');
});

test('the card is not shared in a channel without the bot, and says what to type', async () => {
  running.service.on('GET /upnext-post', data(post));
  const ana = running.workspace.as('Ana').in('#random');
  await askAndPress(ana, '/upnext', 'Share with channel', 'Type /invite @Upnext there, then try again.');
  await ana.inviteApp();
  await pressAndSee(ana, 'Share with channel', 'Shared with #random.');
});

test('the card mentions the author of a post that was scheduled with Upnext, and a shared card only names them', async () => {
  const ofBen = { id: 's', author: 'U02BENOKAF', createdAt: new Date('2026-11-20T11:00:00Z') };
  await insertPost(database.db, ofBen, { state: 'confirmed', service_id: 'a' });
  running.service.on('GET /upnext-post', data(post));
  await ask(ana, '/upnext', 'by @Ben Okafor');
  await ana.press('Share with channel');
  await expect.poll(readOthersMessages).toContain('by Ben Okafor');
});

test('the card can show very long and unusual texts and project names', async () => {
  const unusualPost = {
    ...post,
    Content: `\u202e<!channel> ${'🥐'.repeat(20_000)}`,
    Platforms: ['<!here>'],
  };
  running.service.on('GET /upnext-post', data(unusualPost));
  running.service.on(
    'GET /projects',
    data(
      Array.from({ length: 12 }, (_, index) => ({
        Id: `p${index}`,
        Name: '<!channel>'.repeat(300) + index,
      })),
    ),
  );
  await ana.type(`/upnext use ${Array.from({ length: 12 }, (_, index) => `p${index}`).join(', ')}`);
  await ask(ana, '/upnext', '…and 2 more projects: ');
  await pressAndSee(ana, 'Share with channel', 'Shared with #harbour-coffee.');
});

test.each([
  ['what’s next for Night Books?', 'Night Books: 1 scheduled post'],
  ['next Night Books', 'Night Books: 1 scheduled post'],
  ['next night', 'Night Books: 1 scheduled post'],
  ['when is Night Books next?', 'Night Books: 1 scheduled post'],
  ['when is Next’s next post?', 'Next: 1 scheduled post'],
  ['when does the next post for Night Books go out?', 'Night Books: 1 scheduled post'],
  ['when is the next post on X?', 'Harbour Coffee: 1 scheduled post on X'],
  ['when is our next post to be published on X?', 'Harbour Coffee: 1 scheduled post on X'],
  ['next Night Books 1 dec', 'Night Books: 1 scheduled post, Tue 1 Dec'],
  ['next Night Books friday', 'no scheduled Night Books posts on Fri 20 Nov'],
  ['next Night Books tomorrow', 'no scheduled Night Books posts on Sat 21 Nov'],
  ['when is the next post in december?', 'Harbour Coffee: 1 scheduled post, Tue 1 Dec to'],
])('/upnext %s lists the posts of the named project, platform or days', async (words, title) => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Books', 'Next'));
  running.service.on('GET /posts', data([post]));
  await ana.type('/upnext use Harbour Coffee');
  await ask(ana, `/upnext ${words}`, title);
});

test.each([
  ['next month', 'Harbour Coffee: 1 scheduled post, Tue 1 Dec to Thu 31 Dec'],
  ['next 31 feb', '31 Feb doesn’t exist.'],
  ['next friday', 'no scheduled Harbour Coffee posts on Fri 27 Nov'],
  ['next month picture', 'contain “picture”'],
  ['show me next month', 'Harbour Coffee: 1 scheduled post, Tue 1 Dec to Thu 31 Dec'],
  ['show the plan for next month', 'Harbour Coffee: 1 scheduled post, Tue 1 Dec to Thu 31 Dec'],
])('/upnext %s is about those days', async (words, title) => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Books'));
  running.service.on('GET /posts', data([post]));
  await ask(ana, `/upnext ${words}`, title);
});

test.each([
  'when is the next post to go out?',
  'when may our next post go out?',
  'what’s next?',
  'which Harbour Coffee post goes out next?',
])('/upnext %s shows the next post of the channel’s project', async (words) => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'What’s On', 'Next'));
  running.service.on('GET /upnext-post', data(post));
  await ana.type('/upnext use Harbour Coffee');
  await ask(ana, `/upnext ${words}`, 'X and MYSPACE · Harbour Coffee');
});

test('of two posts in the same minute, the one with the first id is shown, and the other is counted', async () => {
  const simultaneousPosts = ['c', 'b'].map((Id) => ({ ...post, Id, Content: `Roast ${Id}` }));
  running.service.on('GET /upnext-post', data(simultaneousPosts[0]));
  running.service.on('GET /posts', data(simultaneousPosts));
  await ask(ana, '/upnext', 'Roast b', '+1 at the same time');
  expect(ana.messages().join()).not.toContain('Roast c');
});

test('the cards of several projects show the viewer’s time', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Books'));
  running.service.on('GET /upnext-post', data(post));
  await ana.type('/upnext use p1, p2');
  await ask(ana, '/upnext', 'Tue 1 Dec, 08:00 (09:00 Berlin) · Night Books · X and MYSPACE');
});

test('if Slack can’t fetch the picture of a post, the card is shown without the picture', async () => {
  running.service.on('GET /upnext-post', data({ ...post, Media: 'https://cdn.example.com/cup.png' }));
  await ana.type('/upnext');
  const countPictureNames = () =>
    ana
      .messages()
      .at(-1)
      ?.match(/cup\.png/g)?.length;
  await expect.poll(countPictureNames).toBe(2);
  running.service.on('GET /upnext-post', data({ ...post, Media: 'http://localhost/cup.png' }));
  await pressAndSee(ana, 'Refresh', 'Media: http://localhost/cup.png');
  expect(countPictureNames()).toBe(1);
  await ana.press('Share with channel');
  await expect.poll(readOthersMessages).toContain('Media: http://localhost/cup.png');
});

/** Types `/upnext` as Ana, and returns the card. */
async function showNext(text: string): Promise<string> {
  await ask(ana, '/upnext', text);
  return ana.messages().at(-1) ?? '';
}

const atTen = listedPost('At ten', '2026-11-24T10:00:00Z', { Id: 'a', Timezone: 'Europe/Lisbon' });

test('the next post may be one that Upnext keeps, which is edited and not duplicated', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  const card = await showNext('We open at nine');
  expectParts(card, '✏️ Editable until Tue 08:00', 'by @Ana Ferreira', '[Edit]');
  expect(card).not.toContain('[Duplicate]');
});

test('the service’s post comes first if it is earlier', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-25T09:00:00Z' });
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([atTen]));
  expect(await showNext('At ten')).not.toContain('We open at nine');
});

test('a service that ignores the filter lists an earlier post, which isn’t the next one', async () => {
  const late = { ...atTen, Id: 'late', Content: 'Never published', ScheduleDate: '2026-11-10T10:00:00Z' };
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([late, atTen]));
  expect(await showNext('At ten')).not.toContain('Never published');
});

test('posts of both at the same time are counted', async () => {
  await holdPost(running, { text: 'We open at ten', at: '2026-11-24T10:00:00Z' });
  running.service.on('GET /upnext-post', data(atTen));
  running.service.on('GET /posts', data([atTen]));
  await showNext('+1 at the same time');
});

test('a kept post is shown although the service isn’t answering, and the card says so', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  running.service.on('GET /upnext-post', json(500, 'oops'));
  const card = await showNext('We open at nine');
  expect(card).toContain('I couldn’t load the service’s posts, so another one may be sooner.');
});

test('drafts, cancelled posts and posts that need a decision aren’t next', async () => {
  await holdPost(running, { text: 'A draft', at: '2026-11-24T09:00:00Z', isDraft: true });
  await showNext('Nothing is scheduled for Harbour Coffee.');
});

test('a kept post is shown although the service hasn’t answered since the bot’s start', async () => {
  await bindProjects(running.db, {
    ...{ workspace: 'T01HARBOUR', channel: 'C02HARBOUR', projects: ['p1'] },
    ...{ boundAt: new Date() },
  });
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z' });
  for (const route of ['GET /projects', 'GET /posts', 'GET /upnext-post'] as const)
    running.service.on(route, json(500, 'oops'));
  const card = await showNext('We open at nine');
  expect(card).toContain('I couldn’t load the service’s posts, so another one may be sooner.');
});

describe('in a channel that another organisation reads', () => {
  beforeEach(() => startWithRole('contributor'));

  /** Starts with one project and an unbound channel. Ana is an owner, and everybody else has this role. */
  async function startWithRole(membersDefaultRole: Role, pace = {}): Promise<void> {
    await startBot({ membersDefaultRole, pace });
    running.service.on('GET /projects', listProjects('Harbour Coffee'));
    running.service.on(
      'GET /upnext-post',
      data({ Id: 'a', Content: 'New roast', ScheduleDate: '2026-12-01T09:00:00+01:00', Platforms: ['X'] }),
    );
  }

  const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
  /** Reads the messages that everybody in the channel sees, including the other organisation. */
  const readChannel = () => as('Mira').messages().join('\n');

  function shareWith(...names: string[]): void {
    for (const name of names) {
      const team = running.workspace.admin.addTeam({ name, people: [{ name: 'Rosa Lima' }] });
      running.workspace.admin.share('#harbour-coffee', team.id);
    }
  }

  test('a Contributor can’t share posts in a channel that another organisation reads', async () => {
    shareWith('Roaster Supplies');
    await askAndPress(as('Ben'), '/upnext', 'Share with channel');
    await as('Ben').sees(
      'This channel is shared with Roaster Supplies, so only an Owner can share posts here.',
    );
    expect(readChannel()).not.toContain('New roast');
  });

  test('an owner reads which organisations are in the channel, and can share posts anyway', async () => {
    shareWith('Roaster Supplies', 'Night <!channel> Books');
    await askAndPress(
      as('Ana'),
      '/upnext',
      'Share with channel',
      'Roaster Supplies',
      'Night <!channel> Books',
    );
    await as('Ana').sees('Nothing has been shared yet.');
    expect(readChannel()).not.toContain('New roast');
    await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
    expect(readChannel()).toContain('New roast');
  });

  test('the audit log doesn’t say that a post was shared which the service didn’t return', async () => {
    await emptyAuditRecord(running.db);
    shareWith('Roaster Supplies');
    await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'Nothing has been shared yet.');
    running.service.on('GET /upnext-post', json(503, {}));
    await pressAndSee(as('Ana'), 'Share anyway', 'Nothing was shared.');
    await ask(as('Ana'), '/upnext audit share', '@Ana Ferreira tried to share');
    expect(as('Ana').messages().at(-1)).not.toContain('Ana Ferreira shared');
  });

  test('an organisation whose name Slack doesn’t return is shown as unknown', async () => {
    running.workspace.admin.share('#harbour-coffee', 'T0UNKNOWN');
    await as('Ana').type('/upnext');
    await pressAndSee(as('Ana'), 'Share with channel', 'another organisation (I couldn’t find out its name)');
  });

  test('an owner who was asked about one organisation is asked again when another joins', async () => {
    shareWith('Roaster Supplies');
    await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'shared with Roaster Supplies.');
    shareWith('Night Market Books');
    await pressAndSee(as('Ana'), 'Share anyway', 'Night Market Books');
    expect(readChannel()).not.toContain('New roast');
    await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
  });

  test('a former owner can’t share posts with an old button', async () => {
    shareWith('Roaster Supplies');
    await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'Nothing has been shared yet.');
    running.workspace.admin.changePerson('Ana', { role: 'member' });
    await pressAndSee(as('Ana'), 'Share anyway', 'You need the Owner role for this.');
    expect(readChannel()).not.toContain('New roast');
  });

  test.each([
    ['a pending invitation to share', () => running.workspace.admin.offerShare('#harbour-coffee')],
    [
      'a channel whose readers Slack does not name',
      () => failSlack(running, { method: 'conversations.info', fault: 'error', error: 'fatal_error' }),
    ],
  ])('%s counts as read by another organisation', async (_case, setUp) => {
    setUp();
    for (const name of ['Ben', 'Ana']) {
      await askAndPress(as(name), '/upnext', 'Share with channel');
    }
    await as('Ana').sees('Nothing has been shared yet.');
    expect(as('Ben').read()).toMatch(/only an Owner can share posts here|couldn’t check/);
    expect(readChannel()).not.toContain('New roast');
    await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
  });

  /** Submits a form while the service is slow, so that its view shows the result. */
  async function submitSlowly(
    ana: ReturnType<typeof as>,
    form: Awaited<ReturnType<typeof openFilledForm>>['form'],
  ) {
    running.service.on('POST /posts', later(300, data({ Id: 'made' })));
    await form.submit();
    return ana.modal('Scheduled');
  }

  test('an owner who decides not to share their own post returns to its confirmation, and is asked again', async () => {
    await running.close();
    await startWithRole('publisher', { acknowledgementTimeoutMs: 100 });
    shareWith('Roaster Supplies');
    const { ana, form } = await openFilledForm(running);
    const view = await submitSlowly(ana, form);
    const earlier = { channel: readChannel(), modal: view.text() };
    await view.press('Share');
    await ana.sees('shared with Roaster Supplies');
    const question = await ana.modal('Upnext');
    expect(question.text()).toContain('[Don’t share]');
    await question.close();
    expect(view.text()).toBe(earlier.modal);
    expect(readChannel()).toBe(earlier.channel);
    shareWith('Night Market Books');
    await view.press('Share');
    const secondQuestion = await ana.modal('Upnext');
    expect(secondQuestion.text()).toContain('Night Market Books');
    await secondQuestion.press('Share anyway');
    await ana.sees('Shared with #harbour-coffee.');
    expect(readChannel()).not.toBe(earlier.channel);
    await view.press('Share');
    await ana.sees('I already shared this in #harbour-coffee.');
  });

  test('an owner who closes the question while their post is being shared reads that it was shared', async () => {
    await running.close();
    await startWithRole('publisher', { acknowledgementTimeoutMs: 100 });
    shareWith('Roaster Supplies');
    const { ana, form } = await openFilledForm(running);
    const view = await submitSlowly(ana, form);
    await view.press('Share');
    const question = await ana.modal('Upnext');
    failSlack(running, { method: 'chat.postMessage', fault: 'slow', delayMs: 300, times: 1 });
    const sharing = question.press('Share anyway');
    await question.close();
    await view.close();
    await sharing;
    const dm = await running.workspace.as('Ana').inDirectMessage();
    await dm.sees('Shared with #harbour-coffee.');
    expect(dm.read()).not.toContain('went wrong');
  });
});
