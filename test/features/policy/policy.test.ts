import { beforeEach, describe, expect, test } from 'vitest';
import { parseLead } from '../../../src/features/policy/policy-fields.ts';
import {
  DEFAULT_POLICY,
  findPolicy,
  type PolicySetting,
  type ProjectPolicy,
} from '../../../src/preferences/project-policy.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { reviewedBy } from '../../support/hold-posts.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { data, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, setPolicy, startBot } = setUpBot();
const KEY = { workspace: 'T01HARBOUR', project: 'p1' };
const KEEP = 'Keep them editable until shortly before their time';
const RIGHT_AWAY = 'Right away';
const REQUIRED = 'Required for every post';
const ONLY_NAMED = 'Only the people and groups below';

beforeEach(() =>
  startWithTwoProjects(startBot, { membersDefaultRole: 'viewer', owners: { kind: 'emulator' } }),
);

const as = (name: string) => running.workspace.as(name).in('#general');
const ana = () => as('Ana');
const readPolicy = () => findPolicy(database.db, KEY);

async function openForm(name = 'Ana') {
  return askForForm(as(name), '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
}

test('everybody who may see a project reads its policy, and only managers can change it', async () => {
  await setPolicy({ leadMinutes: 90, review: 'required', reviewSteps: [MANAGERS] });
  await ask(as('Mira'), '/upnext policy Harbour Coffee', 'Policy of Harbour Coffee');
  const text = as('Mira').read();
  expect(text).toContain('Posts stay editable until 1 hour 30 minutes before they go out.');
  expect(text).toContain('Requests go to direct messages, and problems to where a post was written.');
  expectParts(text, 'Every post needs a review.', 'Approvers: Managers and above (any one of them)');
  expect(text).toContain('own screens don’t show posts that Upnext keeps');
  expect(text).not.toContain('[Change policy]');
  await ask(ana(), '/upnext policy Harbour Coffee', '[Change policy]');
});

test('a policy says which of its approvers have left', async () => {
  await setPolicy(reviewedBy('U02BENOKAF', 'U03MIRAVOS'));
  running.workspace.admin.deactivate('Ben');
  await ask(ana(), '/upnext policy Harbour Coffee', 'so they can’t approve: @Ben Okafor');
  expect(ana().read()).not.toContain('so they can’t approve: @Ben Okafor and');
});

test('a policy says of each of many approvers whether they have left, and names some', async () => {
  const strangers = Array.from({ length: 15 }, (_, index) => `U0STRANGER${index}`);
  await setPolicy(reviewedBy('U02BENOKAF', ...strangers));
  running.workspace.admin.deactivate('Ben');
  await ask(ana(), '/upnext policy Harbour Coffee', 'so they can’t approve: @Ben Okafor');
  expect(ana().read()).toContain(' and 6 more');
  expect(ana().read()).not.toContain('I couldn’t check');
});

test('a policy is shown while Slack is slow to say whether its approvers have left', async () => {
  await setPolicy(reviewedBy('U02BENOKAF', 'U03MIRAVOS'));
  running.workspace.faults.set({ webApi: [{ method: 'users.info', fault: 'slow', delayMs: 6_000 }] });
  await ask(ana(), '/upnext policy Harbour Coffee', 'Policy of Harbour Coffee');
  expect(ana().read()).toContain('I couldn’t check some approvers just now. They may have left.');
});

test('the form says how many people are asked in direct messages', async () => {
  await setPolicy({ leadMinutes: 60, review: 'required', reviewSteps: [MANAGERS] });
  await (await openForm()).press('More options');
  await ana().sees('I ask up to 20 people in direct messages');
});

test('with several projects, a person is asked for the project', async () => {
  await ask(ana(), '/upnext policy', 'Which project?');
  await pressAndSee(ana(), 'Night Market Books', 'Policy of Night Market Books');
  expect(ana().read()).toContain('Posts go to the scheduling service right away.');
});

test('the beginning of another project’s name is enough beside the channel’s project', async () => {
  await ana().type('/upnext use harbour coffee');
  await ask(ana(), '/upnext policy night', 'Policy of Night Market Books');
  await ask(ana(), '/upnext blackout days', 'Policy of Harbour Coffee');
  await ask(ana(), '/upnext policy for Night Market Books', 'Policy of Night Market Books');
  await ask(ana(), '/upnext blackout days of Harbour Coffee', 'Policy of Harbour Coffee');
  expect(ana().read()).not.toContain('I didn’t read');
  await ask(
    ana(),
    '/upnext policy Harber Tee',
    'I didn’t read “Harber Tee”. Type /upnext policy and the name',
  );
});

test('the beginning of several names asks for one of them', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Harbour Tea', 'Night Market Books'));
  await ana().type('/upnext use Night Market Books');
  await ana().type('/upnext policy harbour');
  expect(ana().read()).toContain('[Harbour Coffee] [Harbour Tea]\n');
  await pressAndSee(ana(), 'Harbour Tea', 'Policy of Harbour Tea');
});

test('projects with the same name are told apart by their ids, which can be typed', async () => {
  const same = [
    { Id: 'p1', Name: 'Harbour Coffee' },
    { Id: 'p2', Name: 'harbour coffee' },
    { Id: 'p3', Name: 'Books' },
  ];
  running.service.on('GET /projects', data(same));
  await ask(ana(), '/upnext policy', '[Harbour Coffee (p1)] [harbour coffee (p2)] [Books]');
  await ana().type('/upnext use harbour coffee');
  await ana().sees('could be Harbour Coffee (p1) or harbour coffee (p2). Nothing was changed.');
  await ask(ana(), '/upnext policy p2', 'Policy of harbour coffee');
});

test('a manager of one project can’t change the policy of another', async () => {
  await grantBen(database.db, 'manager', 'p2');
  await ask(as('Ben'), '/upnext policy Harbour Coffee', 'Policy of Harbour Coffee');
  expect(as('Ben').read()).not.toContain('[Change policy]');
  await ask(as('Ben'), '/upnext policy Night Market Books', '[Change policy]');
});

const MANAGERS = { approvers: [{ kind: 'role', role: 'manager' }], needs: 'any' } as const;

describe('holding', () => {
  const LEAD = 'Hand posts over this long before they go out';
  async function openHeldForm(opened?: Awaited<ReturnType<typeof openForm>>) {
    const form = opened ?? (await openForm());
    await form.choose('When posts go to the scheduling service', KEEP);
    await ana().sees(LEAD);
    return ana().modal('Policy');
  }

  test('a manager chooses how long posts stay editable, in words', async () => {
    const form = await openForm();
    expect(form.value('When posts go to the scheduling service')).toBe(RIGHT_AWAY);
    expect(form.text()).not.toContain('How long before');
    const heldForm = await openHeldForm(form);
    expect(heldForm.text()).toContain('Uninstalling Upnext deletes them');
    expect(heldForm.text()).toContain('You can export posts as CSV at any time');
    expect(heldForm.value(LEAD)).toBe('1 hour');
    expect((await submitWith(heldForm, { [LEAD]: '1h30' })).view?.text()).toContain(
      'Posts stay editable until 1 hour 30 minutes before they go out.',
    );
    expect(await readPolicy()).toMatchObject({ leadMinutes: 90, review: 'off', channel: undefined });
  });

  test('a lead that isn’t possible is refused under its field, and a typed one comes back when its field is shown again', async () => {
    const heldForm = await openHeldForm();
    expect((await submitWith(heldForm, { [LEAD]: '8 days' })).errors).toEqual({
      [LEAD]: 'At most 7 days.',
    });
    expect(await readPolicy()).toEqual(DEFAULT_POLICY);
    await heldForm.fill(LEAD, '3 hours');
    await heldForm.choose('When posts go to the scheduling service', RIGHT_AWAY);
    await heldForm.choose('When posts go to the scheduling service', KEEP);
    await ana().sees(LEAD);
    expect((await ana().modal('Policy')).value(LEAD)).toBe('3 hours');
  });

  test('of two managers who change a policy, the second reads that the first was faster', async () => {
    const form = await openForm();
    await setPolicy({ leadMinutes: 120 });
    const { errors } = await form.submit();
    expect(errors['When posts go to the scheduling service']).toContain('somebody just changed this policy');
    expect(await readPolicy()).toMatchObject({ leadMinutes: 120 });
  });
});

describe('review', () => {
  async function openReviewForm(name = 'Ana') {
    await (await openForm(name)).choose('Review', REQUIRED);
    await as(name).sees('[Change]');
    for (const [button, shown] of [
      ['Change', 'Who approves'],
      ['More options', 'Stand-ins'],
    ] as const) {
      await (await as(name).modal('Policy')).press(button);
      await as(name).sees(shown);
    }
    return as(name).modal('Policy');
  }

  test('a required review holds posts', async () => {
    const form = await openReviewForm();
    expect(form.value('When posts go to the scheduling service')).toBe(KEEP);
    expect(form.text()).toContain('With reviews, Upnext always keeps posts.');
    await form.choose('Who approves', 'Publishers and above');
    expect((await form.submit()).view?.text()).toContain('Every post needs a review.');
    expect(await readPolicy()).toMatchObject({
      leadMinutes: 60,
      review: 'required',
      reviewSteps: [{ approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' }],
    });
  });

  test('what a closed step says is stored, and its fields open with their error, and stay', async () => {
    await setPolicy({
      ...{ leadMinutes: 60, review: 'required', ownerOverride: undefined },
      reviewSteps: [{ approvers: [{ kind: 'role', role: 'owner' }], needs: 'any' }],
    });
    const form = await openForm();
    expect(form.text()).toContain('Approvers\nOwners (any one of them)');
    expect(form.labels()).not.toContain('Who approves');
    await form.submit();
    await ana().sees('Only one person can approve here');
    const opened = await ana().modal('Policy');
    expect(opened.labels()).toContain('And these people');
    await opened.press('Blackout days');
    await expect.poll(() => opened.labels()).toContain('Blackout days');
    expect(opened.labels()).toContain('And these people');
    await opened.choose('Who approves', 'Managers and above');
    expect((await opened.submit()).errors['And these people']).toContain('Only one person can approve here');
    await opened.choose('And these people', ['Ben', 'Mira']);
    expect((await opened.submit()).view?.text()).toContain('Saved for Harbour Coffee.');
  });

  test('a step without two people who can approve is refused, and an owner can override that', async () => {
    const form = await openReviewForm();
    expect((await submitWith(form, { 'Who approves': ['Owners'] })).errors).toEqual({
      'And these people':
        'Only one person can approve here, and nobody approves their own posts. Add somebody, or tick “Require a review even if fewer than two people can approve”.',
    });
    await form.choose('As an Owner', ['Require a review even if fewer than two people can approve']);
    expect((await form.submit()).view?.text()).toContain(
      'required a review although fewer than two people can approve.',
    );
    expect(await readPolicy()).toMatchObject({ review: 'required', ownerOverride: 'U01ANAFERR' });
    await ask(ana(), '/upnext audit', 'required a review that fewer than two people can approve');
    expect(ana().read()).toMatch(
      /changed the policy of posts in Harbour Coffee: hand-over from right away to 1 hour before, reviews from off to required, step 1 from nobody to Owners, override from nobody to .*Ana/,
    );
  });

  test('a role that everybody has needs a channel, and not the approval of all of them', async () => {
    await startWithTwoProjects(startBot, { membersDefaultRole: 'publisher', owners: { kind: 'emulator' } });
    const form = await openReviewForm();
    await form.choose('Who approves', 'Publishers and above');
    expect((await submitWith(form, { 'How many': ['All of them have to approve'] })).errors).toEqual({
      'And these people': expect.stringContaining('At most 20 people can all have to approve'),
      'Where requests and problems go': expect.stringContaining('Choose a channel for the requests.'),
    });
    expect(await readPolicy()).toEqual(DEFAULT_POLICY);
  });

  test('a manager isn’t offered the override', async () => {
    await grantBen(database.db, 'manager', 'p1');
    expect((await openReviewForm('Ben')).text()).not.toContain('As an Owner');
  });

  test('people without access, guests and bots can’t be approvers or stand-ins', async () => {
    await startWithTwoProjects(startBot, { membersDefaultRole: null, owners: { kind: 'emulator' } });
    const form = await openReviewForm();
    await fillIn(form, { 'Who approves': ['Publishers and above'], 'And these people': ['Mira'] });
    expect((await submitWith(form, { 'Stand-ins': ['Mira'] })).errors).toEqual({
      'And these people': expect.stringMatching(/^@Mira Vos has no access to this project/),
      'Stand-ins': expect.stringMatching(/^@Mira Vos has no access to this project/),
    });
    expect(await readPolicy()).toEqual(DEFAULT_POLICY);
  });

  test('if Slack doesn’t answer about an approver, nothing is saved, and the form can be sent again', async () => {
    const form = await openReviewForm();
    await form.choose('Who approves', ONLY_NAMED);
    await form.choose('And these people', ['Ben', 'Mira']);
    failSlack(running, { method: 'users.info', fault: 'error', error: 'fatal_error' });
    const { errors } = await form.submit();
    expect(errors['And these people']).toContain('I couldn’t find out who of them can approve.');
    running.workspace.faults.set({ webApi: [] });
    expect((await form.submit()).view?.text()).toContain('Saved for Harbour Coffee.');
  });

  describe('a user group', () => {
    async function openGroupForm(members: readonly string[]) {
      await startWithTwoProjects(startBot, { membersDefaultRole: null, owners: { kind: 'emulator' } });
      running.workspace.admin.addGroup('editors', members);
      const form = await openReviewForm();
      await form.choose('Who approves', ONLY_NAMED);
      await form.choose('And these user groups', ['@editors (editors)']);
      return form;
    }

    test('approves if two of its members can see the project', async () => {
      const form = await openGroupForm(['Ana', 'Ben', 'Mira']);
      const { view } = await form.submit();
      expect(view?.text()).toMatch(/Approvers: @\S+ \(any one of them\)/);
      expect((await readPolicy()).reviewSteps).toMatchObject([
        { approvers: [{ kind: 'group' }], needs: 'any' },
      ]);
      await view?.close();
      await (await openForm()).press('Change');
      await ana().sees('And these user groups');
      expect((await ana().modal('Policy')).value('And these user groups')).toBe('@editors');
    });

    test.each([
      [['Mira'], 'Nobody in one of these user groups has access to this project.'],
      [['Ana', 'Mira'], 'Only one person can approve here'],
    ])('of %j is refused', async (members, error) => {
      const form = await openGroupForm(members);
      expect((await form.submit()).errors).toEqual({ 'And these people': expect.stringContaining(error) });
      expect(await readPolicy()).toEqual(DEFAULT_POLICY);
    });

    test.each([
      ['no_such_subteam', 'One of these user groups no longer exists.'],
      [
        'missing_scope',
        'I’m not allowed to read user groups here. Choose people, or install me again with usergroups:read.',
      ],
      ['internal_error', 'I couldn’t read one of these user groups in Slack. Nothing was saved: try again'],
    ])('that Slack doesn’t show (%s) isn’t saved, and the form says why', async (code, error) => {
      const form = await openGroupForm(['Ana', 'Ben']);
      const webApi = [{ method: 'usergroups.users.list', fault: 'error', error: code } as const];
      running.workspace.faults.set({ webApi });
      expect((await form.submit()).errors).toEqual({ 'And these people': expect.stringContaining(error) });
      expect(await readPolicy()).toEqual(DEFAULT_POLICY);
    });
  });

  test('a step that was added is removed again', async () => {
    const form = await openReviewForm();
    await form.choose('Who approves', 'Publishers and above');
    await form.press('Add a step');
    await ana().sees('Step 2: who approves');
    await (await ana().modal('Policy')).press('Remove step 2');
    await expect.poll(() => ana().read()).not.toContain('Step 2');
    expect((await (await ana().modal('Policy')).submit()).view?.text()).toContain(
      'Saved for Harbour Coffee.',
    );
    expect((await readPolicy()).reviewSteps).toHaveLength(1);
  });

  test('steps that nobody may be left for are refused, although an owner needs no second person', async () => {
    const form = await openReviewForm();
    await form.choose('Who approves', 'Owners');
    await form.press('Add a step');
    await ana().sees('Step 2: who approves');
    const longForm = await ana().modal('Policy');
    await fillIn(longForm, {
      'Step 2: who approves': ['Owners'],
      'As an Owner': ['Require a review even if fewer than two people can approve'],
    });
    expect((await longForm.submit()).errors).toEqual({
      'Step 2: people': expect.stringContaining('nobody may be left for this one'),
    });
    await longForm.choose('Several steps', ['The same person may approve several steps']);
    expect((await longForm.submit()).view?.text()).toContain('Saved for Harbour Coffee.');
  });

  test('up to three steps in order, each with its own approvers', async () => {
    const form = await openReviewForm();
    await form.choose('Who approves', 'Publishers and above');
    await form.press('Add a step');
    await ana().sees('Step 2: who approves');
    const longForm = await ana().modal('Policy');
    expect((await longForm.submit()).errors).toEqual({
      'Step 2: people': 'Choose who approves, or remove this step.',
    });
    await longForm.choose('Step 2: people', ['Ana', 'Ben']);
    await longForm.choose('Step 2: how many', 'All of them have to approve');
    expect((await longForm.submit()).errors).toEqual({
      'Step 2: people':
        'Each step needs somebody else, and only one person may be left for this one. Add somebody, or tick “The same person may approve several steps”.',
    });
    await longForm.choose('Several steps', ['The same person may approve several steps']);
    const saved = (await longForm.submit()).view?.text();
    expectParts(saved ?? '', '(all of them)', 'The same person may approve several steps.');
    expect(await readPolicy()).toMatchObject({ stepPeople: 'any' });
    expect((await readPolicy()).reviewSteps).toEqual([
      { approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' },
      {
        approvers: [
          { kind: 'person', id: 'U01ANAFERR' },
          { kind: 'person', id: 'U02BENOKAF' },
        ],
        needs: 'all',
      },
    ]);
  });
});

test('a form that is saved as it was opened keeps every setting', async () => {
  // Only the owner's override is confirmed with each change.
  const policy: Omit<ProjectPolicy, 'ownerOverride'> = {
    leadMinutes: 90,
    review: 'optional',
    seriesReview: 'once',
    reviewSteps: [{ approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' }],
    stepPeople: 'any',
    standIns: ['U02BENOKAF'],
    channel: 'C02HARBOUR',
    guests: 'kept-out',
    xAccount: 'paid',
    postingTimes: [createPostingTimes(['X'], 'daily noon')],
    blackouts: [{ from: '2026-12-24', to: '2026-12-26', name: 'Christmas' }],
  };
  for (const [setting, value] of Object.entries(policy))
    expect(value, setting).not.toEqual(DEFAULT_POLICY[setting as PolicySetting]);
  await setPolicy(policy);
  expect((await (await openForm()).submit()).view?.text()).toContain('Saved for Harbour Coffee.');
  expect(await readPolicy()).toEqual(policy);
});

test.each([
  ['1 hour', 60],
  ['an hour', 60],
  ['half an hour', 30],
  ['90 min', 90],
  ['90 minutes before', 90],
  ['2 days', 2 * 24 * 60],
  ['1h30', 90],
  ['1h 30m', 90],
  ['1 hour and 30 minutes', 90],
  ['1 day, 2 hours', 26 * 60],
  ['1.5 hours', 90],
  ['1,5 h', 90],
  ['  TWO  Hrs. ', 120],
  ['one week', 7 * 24 * 60],
  ['15 min', 15],
  ['7 days', 7 * 24 * 60],
  ['2 hours ahead', 120],
  ['0h30', 30],
  ['0 hours 30 minutes', 30],
  ['2 Stunden', 120],
  ['eine Stunde vorher', 60],
  ['-1 hour', 60],
  ['1 hour or so', 60],
])('“%s” is a lead of %i minutes', (text, minutes) =>
  expect(parseLead(text)).toEqual({ kind: 'lead', minutes }),
);

test.each([
  ['0', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['0 hours', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['14 min', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['0.01 hours', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['8 days', 'At most 7 days.'],
  ['7 days 1 minute', 'At most 7 days.'],
  ['1 fortnight', 'At most 7 days.'],
  ['50 weeks', 'At most 7 days.'],
  ['3 months', 'At most 7 days.'],
])('“%s” is out of range, and the answer says which limit counts', (text, fault) =>
  expect(parseLead(text)).toEqual({ kind: 'fault', fault }),
);

test.each([
  ...[
    '',
    '   ',
    'soon',
    'tomorrow',
    '60',
    '9:30',
    '1h30x',
    '999999 weeks',
    '1 hour later',
    'in 1 hour',
    'after 1 hour',
    '+1 hour',
    'eine Stunde später',
  ],
  ...['1 hour 1 foo', 'before', '1 e3 hours', '<!channel>', 'x'.repeat(10_000)],
])('“%s” isn’t a duration, and the answer gives examples', (text) =>
  expect(parseLead(text)).toEqual({
    kind: 'fault',
    fault: 'Write how long before, such as “1 hour”, “90 min” or “2 days”.',
  }),
);
