import { beforeEach, describe, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { findRecordOptions } from '../../../src/forms/inputs/searched.ts';
import { NOW } from '../../support/bot.ts';
import { showMoreOptions } from '../../support/filled-form.ts';
import { expectNone, expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, hang, json, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, chooseAndSee, pressAndSee, seeAll } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Harbour <Books>'));
});

const listUpnextPaths = () =>
  running.service.calls.map(({ path }) => path).filter((path) => path.endsWith('upnext-post'));

test('the question in a direct message does not mention a channel', async () => {
  const ana = running.workspace.as('Ana');
  await ana.directMessage('next');
  await (await ana.inDirectMessage()).sees('Which project do you want to see here?');
  await ana.directMessage('posts');
  await (await ana.inDirectMessage()).sees('Choose the project of this conversation with /upnext use.');
  expect((await ana.inDirectMessage()).read()).not.toContain('channel');
});

test('only people who may choose a channel’s project are told how', async () => {
  await startBot({ membersDefaultRole: 'publisher', owners: { kind: 'emulator' } });
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Harbour <Books>'));
  const ben = running.workspace.as('Ben').in('#random');
  await ask(ben, '/upnext posts', 'Which project?');
  expect(ben.messages().at(-1)).not.toContain('/upnext use');
  const ana = running.workspace.as('Ana').in('#random');
  await ask(ana, '/upnext export', 'Choose this channel’s project with /upnext use.');
});

test('/upnext takes the project that the channel is named after, and says so', async () => {
  await ask(ana, '/upnext', 'Nothing is scheduled for Harbour Coffee.');
  await ana.sees('This channel is named after Harbour Coffee. Choose another project with /upnext use.');
  expect(ana.messages().at(-1)).not.toContain('[Share with channel]');
});

test('/upnext asks for a project, and the choice applies to this channel only', async () => {
  const ana = running.workspace.as('Ana').in('#random');
  await ask(ana, '/upnext', 'Which project should this channel follow?');
  expect(listUpnextPaths()).toEqual([]);
  await chooseAndSee(ana, 'Choose a project', 'Harbour <Books>', 'Nothing is scheduled for Harbour <Books>.');
  await ask(ana, '/upnext', 'Nothing is scheduled for Harbour <Books>.');
  const path = '/api/v1/projects/p2/dashboard/upnext-post';
  expect(listUpnextPaths()).toEqual([path, path]);
  const ben = running.workspace.as('Ben').in('#general');
  await ask(ben, '/upnext', 'Which project should this channel follow?');
});

test('the form preselects no project, and requires one', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  expect(form.value('Project')).toBe('');
  await showMoreOptions(ana, form);
  await fillIn(form, { Text: 'Hello', 'When you submit': ['Save as draft'] });
  // A draft needs neither a time nor platforms, which the form shows a little later.
  await expect.poll(async () => (await form.submit()).errors).toEqual({ Project: expect.any(String) });
  await submitWith(form, { Project: ['Harbour <Books>'] });
  await seeAll(ana, 'Saved as a draft', 'Harbour <Books>');
  expect(running.service.calls.at(-1)?.path).toBe('/api/v1/projects/p2/posts');
});

test.each([
  ['harbour', 'could be Harbour Coffee'],
  ['nothing like it', 'I don’t know the project “nothing like it”'],
  ['<!channel>', 'I don’t know the project “<!channel>”'],
  ['../p2', 'I don’t know the project “../p2”'],
  ['__proto__', 'I don’t know the project “__proto__”'],
  ['Harbour Coffee, nothing like it', 'I don’t know the project “nothing like it”'],
  ['Harbour Coffee and harbour', 'could be Harbour Coffee'],
])('/upnext use %s changes nothing and says why', async (args, expected) => {
  await ask(ana, `/upnext use ${args}`, expected);
  expect(await database.db.selectFrom('channel_project').selectAll().execute()).toEqual([]);
});

/** Lists the ids of the projects that a channel is bound to. */
async function listBoundProjects(channel = 'C02HARBOUR'): Promise<string[]> {
  const rows = await database.db
    .selectFrom('channel_project')
    .select('project')
    .where('channel', '=', channel)
    .orderBy('position')
    .execute();
  return rows.map(({ project }) => project);
}

test('a command binds a channel to several projects, and /upnext shows the next post of each project', async () => {
  await ana.type('/upnext use Harbour <Books>, harbour coffee');
  await ana.sees('This channel now follows Harbour <Books> and Harbour Coffee.');
  await ana.sees('Everyone in this channel, including its guests, can see these projects’ posts.');
  expect(await listBoundProjects()).toEqual(['p2', 'p1']);
  await ask(ana, '/upnext', 'Nothing is scheduled for Harbour <Books>.');
  await ana.sees('Nothing is scheduled for Harbour Coffee.');
  expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).value('Project')).toBe('');
});

test('the form binds a channel to several projects and preselects the current projects, and “none” unbinds the channel', async () => {
  const form = await askForForm(ana, '/upnext use', 'This channel’s projects');
  const { view } = await submitWith(form, { Projects: ['Harbour Coffee', 'Harbour <Books>'] });
  expect(view?.text()).toContain('This channel now follows Harbour Coffee and Harbour <Books>.');
  expect(await listBoundProjects()).toEqual(['p1', 'p2']);
  await view?.close();
  expect((await askForForm(ana, '/upnext use', 'This channel’s projects')).value('Projects')).toBe(
    'Harbour Coffee, Harbour <Books>',
  );
  await ask(ana, '/upnext use none', 'This channel no longer follows a project.');
  expect(await listBoundProjects()).toEqual([]);
});

test('a project that is called “none” is asked about, and chosen by its ID', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'None'));
  await ask(ana, '/upnext use Harbour Coffee', 'now follows Harbour Coffee');
  await ask(ana, '/upnext use none', '“none” is the name of a project, and also means none.');
  expect(await listBoundProjects()).toEqual(['p1']);
  await ana.press('Choose');
  await (await ana.modal('This channel’s projects')).close();
  await ask(ana, '/upnext use p2', 'now follows None');
  expect(await listBoundProjects()).toEqual(['p2']);
});

test('projects whose names look the same have their IDs in the list and in a search that finds one of them', async () => {
  running.service.on('GET /projects', listProjects('Harbour', 'H\u0430rbour'));
  await ask(ana, '/upnext projects', 'Harbour (p1)', 'H\u0430rbour (p2)');
  const found = findRecordOptions(
    {
      isTruncated: false,
      items: [
        { id: 'p1', name: 'Harbour' },
        { id: 'p2', name: 'H\u0430rbour' },
      ],
    },
    { query: 'harb', emptyText: 'Nothing' },
  );
  expect(found.map(({ value, description }) => [value, description?.text])).toEqual([['p1', 'ID p1']]);
});

test('a channel with several projects is described as shared if another organisation reads it', async () => {
  const ana = running.workspace.as('Ana').in('#roastery-north');
  await ask(ana, '/upnext use p1', 'It is shared with Roastery North');
  await ana.type('/upnext use');
  expect((await ana.modal('This channel’s projects')).text()).toContain('shared with Roastery North');
});

test('a direct message isn’t called a channel', async () => {
  const dm = await running.workspace.as('Ana').inDirectMessage();
  await ask(dm, '/upnext use harbour coffee', 'This conversation now follows Harbour Coffee.');
  await ask(dm, '/upnext projects', 'Harbour Coffee  — followed here');
  const form = await askForForm(dm, '/upnext use', 'Projects to follow');
  const { view } = await submitWith(form, { Projects: ['Harbour <Books>'] });
  expect(view?.text()).toContain('This conversation now follows Harbour <Books>.');
  expect([dm.read(), form.text(), view?.text()].join('\n')).not.toContain('channel');
});

test('projects that couldn’t be looked up are chosen with another press', async () => {
  running.service.on('GET /projects', json(503, {}));
  await ask(ana, '/upnext use harbour coffee', 'I couldn’t load the projects.');
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Harbour <Books>'));
  await pressAndSee(ana, 'Try again', 'This channel now follows Harbour Coffee.');
});

describe('a thousand projects', () => {
  const thousandProjects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `id-${index}`,
    Name: `Stall ${index} ${'<!channel> \u202e'.repeat(20)}`,
  }));
  beforeEach(() => running.service.on('GET /projects', data(thousandProjects)));

  test('a thousand projects can be searched in the form and in the question', async () => {
    const form = await askForForm(ana, '/upnext use', 'This channel’s projects');
    expect(await form.search('Projects', 'stall 998 ')).toHaveLength(1);
    expect((await submitWith(form, { Projects: ['Stall 998', 'Stall 997'] })).view?.title()).toBe('Saved');
    expect(await listBoundProjects()).toEqual(['id-998', 'id-997']);
    const ben = running.workspace.as('Ben').in('#general');
    await ben.type('/upnext');
    await chooseAndSee(ben, 'Choose a project', 'Stall 500 ', 'Nothing is scheduled for Stall 500');
    expect(await listBoundProjects('C01GENERAL')).toEqual(['id-500']);
  });

  test('the menu reports a service that does not answer before Slack stops waiting', async () => {
    await startBot({ followsClock: true });
    running.service.on('GET /projects', data(thousandProjects));
    await ask(ana, '/upnext', 'Which project should this channel follow?');
    running.service.on('GET /projects', hang);
    // The projects that the question has read are cached for a minute.
    running.workspace.clock.advance(61_000);
    await expect(ana.choose('Choose a project', 'Stall 500 ')).rejects.toThrow('couldn’t load these');
  });

  test('a thousand projects are listed page by page, in the same message', async () => {
    await ana.type('/upnext use id-45');
    await ask(ana, '/upnext projects', '1000 projects, 1 to 30');
    const messageCount = ana.messages().length;
    await pressAndSee(ana, 'Next page', '31 to 60', '— followed here');
    await pressAndSee(ana, 'Previous page', '1000 projects, 1 to 30');
    expect(ana.messages()).toHaveLength(messageCount);
  });
});

test('/upnext projects lists the projects and marks those of the channel', async () => {
  await ana.type('/upnext use p1');
  await ask(ana, '/upnext projects', 'Harbour Coffee  — followed here', 'Harbour <Books>');
});

test('if the service refuses the token or has no list, /upnext projects says so, and calls no project unknown', async () => {
  running.service.on('GET /projects', json(401, {}));
  await ask(ana, '/upnext projects', 'refused my access token', 'this reference: ');
  running.service.on('GET /projects', json(404, {}));
  await ask(ana, '/upnext projects', 'I couldn’t load the projects.');
  expect(ana.messages().at(-1)).toContain('The scheduling service didn’t answer properly.');
});

test('in a channel without a project, a viewer sees the next posts of all projects and can’t share them', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  running.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
  const ben = running.workspace.as('Ben').in('#general');
  await ask(ben, '/upnext', 'Night Market Books');
  const card = ben.messages().at(-1) ?? '';
  expect(card).toContain('Harbour Coffee');
  expectNone(card, 'Which project', '[Share with channel]');
});

test('a manager who unbinds a channel’s projects reads that projects of other managers stay bound', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  await grantBen(database.db, 'manager', 'p1');
  const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
  await ask(as('Ana'), '/upnext use p1, p2', 'This channel now follows');
  await as('Ben').type('/upnext use none');
  await as('Ben').sees(
    'This channel no longer follows your projects. 1 other project stays, because you don’t manage it.',
  );
});

describe('of 2,100 projects, of which only 2,000 are read,', () => {
  const stalls = Array.from({ length: 2_100 }, (_, index) => ({ Id: `p${index}`, Name: `Stall ${index}` }));

  beforeEach(async () => {
    await startBot();
    running.service.on('GET /projects', data(stalls));
  });

  test('the list, Home, the search and /upnext status say that some projects were not loaded', async () => {
    await ask(ana, '/upnext projects', 'I can read only the first 2000 projects. There are more.');
    await ask(ana, '/upnext status', 'There are more projects than I could read.');
    const home = await running.workspace.as('Ana').home('Commands');
    expect(home.text()).toContain('…and at least 1,990 more projects');
    const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
    const searchResults = await form.search('Project', 'Stall 19');
    expect(searchResults).toHaveLength(100);
    expect(searchResults.at(-1)).toBe('Searching only those that I could read');
    expect(await form.search('Project', 'Stall 2050')).toEqual(['Searching only those that I could read']);
  });

  test('a project that was not loaded can be chosen by its id, and is nowhere reported as missing', async () => {
    await ask(ana, '/upnext use p2050', 'This channel now follows p2050.');
    await ask(ana, '/upnext', 'Nothing is scheduled for p2050.');
    await ask(ana, '/upnext status', 'This channel follows p2050.');
    await ask(ana, '/upnext templates', 'p2050 has no templates yet.');
    expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).toContain('For p2050 · ');
    await ana.type('/upnext use');
    expect((await ana.modal('This channel’s projects')).value('Projects')).toContain('p2050');
  });

  test('a name that matches nothing is reported as not among the first 2,000 projects', async () => {
    running.service.on('GET /upnext-post', (_call, response) => void response.writeHead(404).end());
    await ask(ana, '/upnext use Stall 2050', '“Stall 2050” isn’t among the projects that I could read');
    expect(ana.messages().at(-1)).toContain('Nothing was changed');
  });

  test.each([
    ['p1, p2050', 'This channel now follows Stall 1 and p2050.'],
    ['p2050 and p2051', 'This channel now follows p2050 and p2051.'],
  ])('/upnext use %s binds the channel to each of these projects', (args, expected) =>
    ask(ana, `/upnext use ${args}`, expected),
  );

  test('if one of several projects is unknown, none is chosen', async () => {
    running.service.on('GET /upnext-post', (call, response) => {
      const answer = call.path.includes('/gone/') ? json(404, {}) : data(null);
      return answer(call, response);
    });
    await ask(ana, '/upnext use p1, p2050, gone', '“gone” isn’t among the projects that I could read');
    await ask(ana, '/upnext status', 'This channel doesn’t follow a project yet.');
  });

  test.each([500, 401])(
    'a project id is not reported as unknown if the service answers %d',
    async (status) => {
      running.service.on('GET /upnext-post', json(status, {}));
      await ask(ana, '/upnext use p2050', 'I couldn’t load the projects.');
      expect(ana.messages().at(-1)).not.toContain('isn’t among');
    },
  );

  test('the beginning of a name chooses no project, because other projects may begin with it too', async () => {
    running.service.on('GET /upnext-post', json(404, {}));
    await ask(ana, '/upnext use Stall 1999', 'This channel now follows Stall 1999.');
    await ask(ana, '/upnext use Stall 199', 'This channel now follows Stall 199.');
    await ask(ana, '/upnext use Stall 12 and Sta', '“Sta” isn’t among the projects that I could read');
  });

  test('choosing the note at the end of the search results changes nothing', async () => {
    await ask(ana, '/upnext', 'Which project');
    await ana.choose('Choose a project', 'Searching only those that I could read');
    const listProjectCalls = () => running.service.calls.filter(({ path }) => path.includes('/projects/'));
    await ask(ana, '/upnext status', 'This channel doesn’t follow a project yet.');
    expect(listProjectCalls()).toEqual([]);
  });

  test('a person whose only project was not loaded isn’t told that they have no project', async () => {
    await startBot({ membersDefaultRole: null });
    running.service.on('GET /projects', data(stalls));
    const role = { subjectKind: 'person', subject: 'U02BENOKAF', project: 'p2050', role: 'viewer' } as const;
    const grant = { reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: NOW } as const;
    await saveGrant(database.db, { workspace: running.workspace.team.id, ...role, ...grant });
    const ben = running.workspace.as('Ben').in('#general');
    await ask(ben, '/upnext', 'I found none of your projects, but there are more than I could read.');
  });
});

describe('of a channel that another organisation reads,', () => {
  beforeEach(async () => {
    await startBot({ membersDefaultRole: 'manager' });
    running.service.on('GET /projects', listProjects('Harbour Coffee'));
    running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  });

  const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');

  test('an owner who types the projects of a channel with outside readers confirms them in the form', async () => {
    const form = await askForForm(as('Ana'), '/upnext use Harbour Coffee', 'This channel’s projects');
    expect(form.text()).toContain('its people are members too');
    expect(await listBoundProjects()).toEqual([]);
    await confirm(form);
  });

  test('a mention, which can’t open the form, has a button for it', async () => {
    await as('Ana').type('@Upnext use Harbour Coffee');
    await as('Ana').sees('This channel is shared with Roastery North. Nothing has changed yet.');
    await as('Ana').press('Choose');
    await confirm(await as('Ana').modal('This channel’s projects'));
  });

  test('a line too long for a button has a button for the form', async () => {
    await as('Ana').type(`@Upnext use ${'Harbour Coffee, p1, '.repeat(100)}`);
    await as('Ana').press('Choose');
    expect((await as('Ana').modal('This channel’s projects')).text()).toContain('its people are members too');
  });

  test.each(['menu', 'line'])(
    'an owner whose %s takes too long for the form has a button for it',
    async (way) => {
      running.service.on('GET /projects', listProjects('Harbour Tea', 'Night Market Books'));
      failSlack(running, { method: 'views.open', fault: 'error', error: 'expired_trigger_id', times: 1 });
      await as('Ana').type(way === 'menu' ? '/upnext' : '/upnext use Harbour Tea');
      if (way === 'menu') await as('Ana').choose('Choose a project', 'Harbour Tea');
      await as('Ana').sees('This channel is shared with Roastery North. Nothing has changed yet.');
      await as('Ana').press('Choose');
      await as('Ana').modal('This channel’s projects');
    },
  );

  test('a manager reads that only an owner can choose the projects of a shared channel', async () => {
    await as('Ben').type('/upnext use Harbour Coffee');
    await as('Ben').sees(
      'This channel is shared with Roastery North, so only an Owner can choose its projects.',
    );
    expect(await listBoundProjects()).toEqual([]);
  });

  test('a manager reads in the form that only an owner can choose the projects', async () => {
    await (await chooseInForm('Ben'))?.submit();
    await as('Ben').sees('so only an Owner can choose its projects');
    expect(await listBoundProjects()).toEqual([]);
  });

  test('an owner can confirm the choice of projects in the form', async () => {
    const view = await chooseInForm('Ana');
    expect(view?.text()).toContain('its people are members too');
    await view?.submit();
    expect(await listBoundProjects()).toEqual(['p1']);
  });

  test('an owner has to confirm the choice if Slack doesn’t say who reads the channel', async () => {
    failSlack(running, { method: 'conversations.info', fault: 'error', error: 'fatal_error' });
    await as('Ben').type('/upnext use Harbour Coffee');
    await as('Ben').sees('Slack didn’t tell me just now who reads this channel, so only an Owner');
    await confirm(await askForForm(as('Ana'), '/upnext use Harbour Coffee', 'This channel’s projects'));
  });

  test('an owner is asked again if another organisation joined since the question', async () => {
    const question = await chooseInForm('Ana');
    shareWithAnotherTeam();
    const { view: secondQuestion } = (await question?.submit()) ?? {};
    expectParts(secondQuestion?.text(), 'Nothing was changed.', 'Night Market Books');
    expect(await listBoundProjects()).toEqual([]);
    const { view: thirdQuestion } = (await secondQuestion?.submit()) ?? {};
    expect(thirdQuestion?.text()).toContain('Night Market Books');
    await thirdQuestion?.submit();
    expect(await listBoundProjects()).toEqual(['p1']);
  });

  test('a former owner can’t confirm in a form that they opened as an owner', async () => {
    const question = await chooseInForm('Ana');
    running.workspace.admin.changePerson('Ana', { role: 'member' });
    await question?.submit();
    await as('Ana').sees('You need the Owner role for this.');
    expect(await listBoundProjects()).toEqual([]);
  });

  test('the menu of /upnext also asks an owner for a confirmation', async () => {
    running.service.on('GET /projects', listProjects('Harbour Tea', 'Night Market Books'));
    await as('Ana').type('/upnext');
    await as('Ana').choose('Choose a project', 'Harbour Tea');
    await confirm(await as('Ana').modal('This channel’s projects'));
  });

  /** Submits the form with the typed projects, and the question about the readers. */
  async function confirm(form: Awaited<ReturnType<typeof askForForm>>) {
    await (await form.submit()).view?.submit();
    expect(await listBoundProjects()).toEqual(['p1']);
  }

  /** Chooses Harbour Coffee in the form. Returns what the form shows then. */
  async function chooseInForm(name: string) {
    const form = await askForForm(as(name), '/upnext use', 'This channel’s projects');
    return (await submitWith(form, { Projects: ['Harbour Coffee'] })).view;
  }

  function shareWithAnotherTeam(): void {
    const team = running.workspace.admin.addTeam({
      name: 'Night Market Books',
      people: [{ name: 'Rosa Lima' }],
    });
    running.workspace.admin.share('#harbour-coffee', team.id);
  }
});
