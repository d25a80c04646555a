import { expect, test } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { submitLine } from '../support/filled-form.ts';
import { setUpPracticeBot } from '../support/set-up-practice-bot.ts';
import { chooseAndSee, pressAndSee, pressForForm, seeAll } from '../support/steps.ts';

/** A person schedules posts, moves the clock past their publishing times, and reads the outcomes. */

const { running, getService, getAna, moveClock } = setUpPracticeBot();

async function countMessages(text: string): Promise<number> {
  return (await openDirectMessages()).messages().filter((message) => message.includes(text)).length;
}
async function openDirectMessages(name = 'Ana') {
  const person = running.workspace.as(name);
  await person.inDirectMessage();
  return person;
}

async function schedule(text: string, when: string): Promise<void> {
  const person = getAna();
  await submitLine(person, `/schedule-post ${when} on x, linkedin for Harbour Coffee: ${text}`);
  await expect.poll(() => getService().posts.countByContent(text)).toBe(1);
}

test('after the time of a post, its author is notified once that the post went out', async () => {
  moveClock('2027-02-21T12:00:00Z');
  await schedule('Fresh roast <!channel>', 'tomorrow 14:30 Berlin');
  moveClock('2027-02-22T13:31:00Z');
  expect(await countMessages('Published on')).toBe(0);
  moveClock('2027-02-22T13:33:00Z');
  const messages = await openDirectMessages();
  await seeAll(messages, 'Published on X and LinkedIn', 'Fresh roast <!channel>');
  await messages.sees('Change with /upnext notifications');
  moveClock('2027-02-23T13:33:00Z');
  await running.bot.engine.runOnce();
  expect(await countMessages('Published on')).toBe(1);
});

test('after the time of a failed post, its author is notified, and can duplicate the post', async () => {
  await schedule('Second cup', 'tomorrow 15:00 Berlin');
  await getService().faults.set({ failsToPublish: true });
  moveClock('2027-02-24T14:03:00Z');
  const messages = await openDirectMessages();
  await messages.sees('Failed on X and LinkedIn');
  await messages.sees('The service’s reason: “its platforms didn’t accept it.”');
  await getService().faults.clear();
  const form = await pressForForm(messages, 'Choose another time', 'Schedule a post');
  expect(form.value('Text')).toBe('Second cup');
  await form.close();
});

test('[Open posts] lists the posts', async () => {
  const messages = await openDirectMessages();
  await pressAndSee(messages, 'Open posts', 'Harbour Coffee: 2 posts, ');
  expect(messages.read()).not.toContain('Which project?');
});

test('the messages that show a failed post say so: a receipt in direct messages, and a card shared in a channel', async () => {
  moveClock('2027-03-01T12:00:00Z');
  const ana = await openDirectMessages();
  await ana.type('schedule tomorrow 15:00 Berlin on x for Harbour Coffee: Third cup');
  await ana.sees('Open this post to schedule it.');
  await (await (await pressForForm(ana, 'Open', 'Schedule a post')).submit()).view?.close();
  await ana.sees('Scheduled · Tue 2 Mar');
  const { project } = await running.db.selectFrom('submission').select('project').executeTakeFirstOrThrow();
  await savePolicy(
    running.db,
    { workspace: 'T01HARBOUR', project: project ?? '' },
    { ...DEFAULT_POLICY, leadMinutes: 60 },
  );
  const inChannel = getAna();
  await submitLine(inChannel, '/schedule-post tomorrow 15:00 Berlin on x for Harbour Coffee: Fourth cup');
  await inChannel.sees('· Editable until Tue 2 Mar, 13:00');
  await chooseAndSee(inChannel, 'More options', 'Share', 'Shared with');
  moveClock('2027-03-02T13:30:00Z');
  await running.bot.heldPosts.handleClockChange();
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  await ben.sees('The scheduling service publishes it at its time.');
  await getService().faults.set({ failsToPublish: true });
  moveClock('2027-03-02T14:03:00Z');
  await expect.poll(() => ben.read()).toMatch(/❌ Failed · .*\nThe service couldn’t publish it\./);
  expect(ben.read()).not.toContain('The scheduling service publishes it at its time.');
  const direct = await openDirectMessages();
  await expect
    .poll(() => direct.messages().filter((message) => /Third cup[\s\S]*\[Duplicate\]/.test(message)))
    .toEqual([expect.stringMatching(/❌ Failed · .*\nThe service couldn’t publish it\./)]);
  await getService().faults.clear();
});

test('the author of a post that a publisher approved is notified that it failed, and uses the buttons', async () => {
  moveClock('2027-03-08T12:00:00Z');
  const { db, bot } = running;
  const given = { workspace: 'T01HARBOUR', project: '', reason: 'given', grantedBy: 'U01ANAFERR' } as const;
  const [ofMembers, ofBen] = [
    { ...given, subjectKind: 'members', subject: '', role: 'contributor' } as const,
    { ...given, subjectKind: 'person', subject: 'U02BENOKAF', role: 'publisher' } as const,
  ];
  for (const grant of [ofMembers, ofBen]) await saveGrant(db, { ...grant, grantedAt: new Date() });
  const { project } = await db.selectFrom('submission').select('project').executeTakeFirstOrThrow();
  const policy = {
    ...{ ...DEFAULT_POLICY, leadMinutes: 60, review: 'required' as const, channel: 'C02HARBOUR' },
    reviewSteps: [
      { approvers: [{ kind: 'role' as const, role: 'publisher' as const }], needs: 'any' as const },
    ],
  };
  await savePolicy(db, { workspace: 'T01HARBOUR', project: project ?? '' }, policy);
  const mira = running.workspace.as('Mira').in('#harbour-coffee');
  await submitLine(mira, '/schedule-post tomorrow 15:00 Berlin on x for Harbour Coffee draft: Fifth cup');
  await mira.press('Send for review');
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  await ben.sees('Please review this post');
  await pressAndSee(ben, 'Approve', 'I’ll hand it over to the scheduling service in time.');
  moveClock('2027-03-09T13:30:00Z');
  await bot.heldPosts.handleClockChange();
  await expect.poll(() => getService().posts.countByContent('Fifth cup')).toBe(1);
  const submissions = await db
    .selectFrom('submission')
    .select('author')
    .where('author', '!=', 'U01ANAFERR')
    .execute();
  expect(submissions).toEqual([{ author: 'U02BENOKAF' }]);
  await getService().faults.set({ failsToPublish: true });
  moveClock('2027-03-09T14:03:00Z');
  const messages = await openDirectMessages('Mira');
  await messages.sees('Failed on X');
  await getService().faults.clear();
  const form = await pressForForm(messages, 'Choose another time', 'Schedule a post');
  expect(form.value('Text')).toBe('Fifth cup');
  await form.close();
  await pressAndSee(messages, 'Open posts', 'Harbour Coffee: ');
  expect(messages.read()).not.toContain('Which project?');
});
