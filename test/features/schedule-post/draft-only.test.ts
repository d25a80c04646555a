import { beforeEach, describe, expect, test } from 'vitest';
import { continuePost, submitLine } from '../../support/filled-form.ts';
import { submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, listHeldPosts, reviewedBy } from '../../support/hold-posts.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, chooseAndSee, pressAndSee, pressForForm } from '../../support/steps.ts';

const { running, setPolicy, startBot } = setUpBot();

const as = (name: string) => running.workspace.as(name).in('#general');

/** Starts a workspace owned by Ana in which everybody else has this role. */
async function startWithRole(membersDefaultRole: 'contributor' | null) {
  await startBot({ membersDefaultRole, owners: { kind: 'emulator' } });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
}

describe('people who may only write drafts', () => {
  beforeEach(() => startWithRole('contributor'));

  test('the form offers only a draft, says how to get access, and saves the draft', async () => {
    const mira = as('Mira');
    const form = await askForForm(mira, '/schedule-post', 'Schedule a post');
    expect(form.value('When you submit')).toBe('Save as draft');
    await expect(form.choose('When you submit', 'Schedule')).rejects.toThrow();
    expect(form.text()).toContain(
      'You can only save drafts in this project. To schedule posts, request the Publisher role with /upnext roles.',
    );
    expect((await submitWith(form, { Text: 'We are live!' })).errors).toEqual({});
    await mira.sees('Saved as a draft');
    expect(running.service.created()).toMatchObject([{ Content: 'We are live!', Status: 'DRAFT' }]);
  });

  describe.each(['required', 'optional'] as const)('where reviews are %s', (review) => {
    const listStates = async () =>
      (await listHeldPosts(running)).map(({ state, in_review: isInReview }) => `${state} ${isInReview}`);

    beforeEach(() => setPolicy({ ...reviewedBy('U01ANAFERR'), review }));

    test('one press sends a post for review, or saves a draft', async () => {
      const mira = as('Mira');
      await mira.type('/schedule-post tomorrow 9:30 on x: We are live!');
      const form = await mira.modal('Schedule a post');
      await mira.sees('[Send for review]');
      expect(form.value('When you submit')).toBe('Send for review');
      expect(form.text()).toContain('your posts go out after a review');
      expect(form.text()).not.toContain('request the Publisher role');
      await form.submit();
      await mira.sees('Sent for review');
      expect(await listStates()).toEqual(['awaiting-review true']);
      await submitLine(mira, '/schedule-post draft tomorrow 9:30 on x: Not yet');
      await mira.sees('until somebody schedules it');
      expect(await listStates()).toEqual(['awaiting-review true', `draft ${review === 'required'}`]);
    });

    test('the edit after requested changes sends the post for review again', async () => {
      const mira = as('Mira');
      await submitLine(mira, '/schedule-post tomorrow 9:30 on x: We are live!');
      await mira.sees('Sent for review');
      await changeHeldPosts(running, { state: 'draft', reason: 'changes-requested', next_at: null });
      const form = await pressForForm(mira, 'Edit', 'Edit post');
      await mira.sees('[Send for review]');
      await submitWith(form, { Text: 'We are live now!' });
      await expect.poll(listStates).toEqual(['awaiting-review true']);
    });

    test('an edit sends a draft for review', async () => {
      const mira = as('Mira');
      await submitLine(mira, '/schedule-post draft tomorrow 9:30 on x: We are live!');
      await mira.sees('until somebody schedules it');
      await (review === 'required' ? mira.press('Edit') : mira.choose('More options', 'Edit'));
      const form = await mira.modal('Edit post');
      expect(form.value('When you save')).toBe('Save as draft');
      await form.choose('When you save', 'Send for review');
      await mira.sees('[Send for review]');
      await form.submit();
      await expect.poll(listStates).toEqual(['awaiting-review true']);
    });

    test('a post isn’t scheduled if the project has no reviews any more when the form is sent', async () => {
      const mira = as('Mira');
      await mira.type('/schedule-post tomorrow 9:30 on x: We are live!');
      const form = await mira.modal('Schedule a post');
      await setPolicy({ leadMinutes: 60, review: 'off' });
      await form.submit();
      await mira.sees('You need the Publisher role');
      expect(await listStates()).toEqual([]);
      expect(running.service.created()).toEqual([]);
    });
  });

  test('a line opens the form for a draft', async () => {
    const mira = as('Mira');
    expect((await submitLine(mira, '/schedule-post tomorrow 9:30 on x: We are live!')).closed).toBe(true);
    await mira.sees('Saved as a draft · Sa., 21. Nov., 09:30');
    expect(running.service.created()).toMatchObject([{ Content: 'We are live!', Status: 'DRAFT' }]);
  });

  test('an unfinished line can be scheduled once an owner has given access', async () => {
    const mira = as('Mira');
    await mira.type('/schedule-post tomorrow 9:30 on x: We are live!');
    await (await mira.modal('Schedule a post')).close();
    await mira.type('/upnext roles');
    await chooseAndSee(mira, 'Request a role', 'Publisher', 'Request sent');
    const ana = await as('Ana').inDirectMessage();
    await pressAndSee(ana, 'Approve', 'a Publisher');
    const form = await continuePost(mira);
    await expect.poll(() => form.value('Text')).toBe('We are live!');
    expect(form.text()).toContain('[Schedule]');
    expect((await form.submit()).closed).toBe(true);
  });
});

test('a mention in a channel with the name of a project is about that project, as a command there', async () => {
  await startBot({});
  running.service.on('GET /projects', listProjects('Night Market', 'Harbour Coffee'));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.mention('tomorrow 10am on linkedin: We open at nine');
  await ana.sees('Open this post to schedule it.');
  await ana.sees('Harbour Coffee · LinkedIn');
});

describe('people without a role', () => {
  beforeEach(() => startWithRole(null));

  test('read in the form that continues their line where the name of a channel is missing', async () => {
    running.workspace.admin.addChannel('board', { private: true, members: ['Mira'] });
    const mira = as('Mira');
    await mira.mention('schedule tomorrow 9:30 on x: Join #board');
    await pressAndSee(mira, 'Request access', 'Request sent');
    await pressAndSee(await as('Ana').inDirectMessage(), 'Approve', 'a Publisher');
    const form = await continuePost(mira);
    await expect.poll(() => form.value('Text')).toBe('Join #channel');
    expect(form.text()).toContain('Where I couldn’t read a name, the text says #channel.');
  });

  test.each([
    ['/schedule-post', 'Publisher'],
    ['/schedule-post tomorrow 9:30 on x: The first draft', 'Publisher'],
    ['/schedule-post draft tomorrow 9:30 on x: Hello', 'Contributor'],
    ['/upnext draft tomorrow 9:30 on x: Hello', 'Contributor'],
  ])('%s asks for the role %s', async (line, role) => {
    const mira = as('Mira');
    await ask(mira, line, `You need the ${role} role for this`);
    await pressAndSee(mira, 'Request access', `Request sent for the ${role} role.`);
    expect(mira.read()).not.toContain('[Request access]');
    await (await as('Ana').inDirectMessage()).sees(
      `requested the ${role} role in the whole workspace. ${role}s can view posts and templates`,
    );
  });
});
