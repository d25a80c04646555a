import type { Team } from 'slack-workspace-emulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import type { Lookup } from '../../../src/api/http/connector.ts';
import type { OutcomeDetails } from '../../../src/api/outcome.ts';
import { pauseDigests } from '../../../src/digests/sql/digests.ts';
import {
  renderConnectionError,
  renderConnections,
  renderVisibleProjects,
} from '../../../src/features/connect/connect-messages.ts';
import { saveCredential } from '../../../src/workspaces/credentials.ts';
import { readAuditLines } from '../../support/audit-record.ts';
import { fillIn } from '../../support/form-steps.ts';
import { changeHeldPosts, holdPost } from '../../support/hold-posts.ts';
import { type InstalledBot, startInstalledBot } from '../../support/installed-bot.ts';
import { SERVICE_TOKEN, startPracticeService } from '../../support/practice-service.ts';
import { type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';
import { setUpBotDatabase } from '../../support/set-up-database.ts';
import { ask, askAndPress, askForForm, confirmAndSee, pressForForm, seeAll } from '../../support/steps.ts';
import {
  createScriptedLookup,
  createSelfSignedCertificate,
  HOST,
  startTlsFront,
} from '../../support/tls-front.ts';

const database = await setUpBotDatabase();
let service: Awaited<ReturnType<typeof startPracticeService>>;
let tlsFront: Awaited<ReturnType<typeof startTlsFront>>;
let running: InstalledBot;
/** Resolves host names during a test. */
let lookup: Lookup;
/** Of both services. */
const certificate = createSelfSignedCertificate([HOST]);

beforeAll(async () => {
  service = await startPracticeService();
  tlsFront = await startTlsFront(service.url, [HOST], certificate);
});
afterAll(async () => {
  await tlsFront.close();
  await service.close();
});
beforeEach(async () => {
  lookup = createScriptedLookup(['127.0.0.1']).lookup;
  const currentLookup: Lookup = (...query) => lookup(...query);
  const serviceAddressRules = { allowPrivate: true, lookup: currentLookup, ca: tlsFront.ca };
  running = await startInstalledBot({ db: database.db, serviceAddressRules });
  await running.workspace.as('Ana').install(running.installUrl);
});
afterEach(async () => {
  await service.faults.clear();
  await running.close();
  for (const table of [
    'installation',
    'installed_workspace',
    'credential',
    'open_form',
    'once_claim',
    'access_grant',
    'held_post',
    'digest',
    'known_service',
    'known_project',
  ] as const)
    await database.db.deleteFrom(table).execute();
});

const TITLE = 'Connect a service';

/** Returns the owner who installed the app. Defaults to Ana. */
const getOwner = (team: Pick<Team, 'as'> = running.workspace, name = 'Ana') => team.as(name).in('#general');

async function connect(
  fields: { address?: string; token?: string; project?: string; moved?: boolean },
  actor = getOwner(),
  button?: string,
) {
  await actor.type('/upnext connect');
  if (button !== undefined) await actor.press(button);
  const form = await actor.modal(TITLE);
  if (fields.project !== undefined) await form.fill('Only for one project', fields.project);
  await form.fill('Address of the service', fields.address ?? tlsFront.url);
  await form.fill('Token', fields.token ?? SERVICE_TOKEN.replaceAll(' ', '-'));
  if (fields.moved)
    await form.choose('Has the service moved?', 'It’s the service of before, at a new address');
  return form.submit();
}

test('without a connection, every command says that the service isn’t connected, and names the owner', async () => {
  const ana = getOwner();
  for (const line of [
    '/upnext',
    '/upnext posts',
    '/upnext projects',
    '/upnext templates',
    '/upnext status',
  ]) {
    await ask(ana, line, 'An Owner can change that with /upnext connect: @Ana');
  }
  await ask(ana, '/schedule-post', 'isn’t connected to a scheduling service');
});

test('the form says that the token is stored encrypted', async () => {
  const ana = getOwner();
  const form = await askForForm(ana, '/upnext connect', TITLE);
  expect(form.text()).toContain('If the projects you choose have a service already, this one replaces it.');
  expect(form.text()).toContain('Stored encrypted.');
});

/** Lists the stored credentials of all workspaces. */
const listStoredCredentials = () =>
  database.db.selectFrom('credential').selectAll().orderBy('project').execute();

describe('an owner', () => {
  test('after an owner connects the service, commands work', async () => {
    const ana = getOwner();
    const submitted = await connect({});
    expect(submitted.view?.text()).toContain(
      'Connected. The token sees 2 projects: Harbour Coffee and Night Market Books.',
    );
    await ask(ana, '/upnext projects', 'Night Market Books');
    await ask(ana, '/upnext connect', 'This workspace is connected to posts.example.com');
    await ana.sees('Connected by @Ana');
  });

  test('the token that an owner entered never appears in the database, the log, a form or a message', async () => {
    const ana = getOwner();
    const submitted = await connect({});
    const resultText = submitted.view?.text();
    await submitted.view?.close();
    await ask(ana, '/upnext connect', 'posts.example.com');
    const form = await pressForForm(ana, 'Replace', TITLE);
    expect([form.value('Address of the service'), form.value('Token')]).toEqual([tlsFront.url, '']);
    const tables = await database.db.introspection.getTables();
    const rows = await Promise.all(
      tables.map(({ name }) =>
        database.db
          .selectFrom(name as 'credential')
          .selectAll()
          .execute(),
      ),
    );
    const storedText = [rows, running.logged, ana.read(), form.text(), resultText].map((source) =>
      JSON.stringify(source),
    );
    expect(JSON.stringify(await listStoredCredentials())).toContain('v1:test:');
    for (const text of storedText) expect(text).not.toContain(SERVICE_TOKEN);
  });

  test('an owner who submits an outdated form can copy the entered values, but not the token', async () => {
    const ana = getOwner();
    const form = await askForForm(ana, '/upnext connect', TITLE);
    await fillIn(form, { 'Address of the service': tlsFront.url, Token: 'a-token-of-eight' });
    await database.db.deleteFrom('open_form').execute();
    const outdatedText = (await form.submit()).view?.text() ?? '';
    expect(outdatedText).toContain('This form is out of date');
    expect(outdatedText).toContain(tlsFront.url);
    expect(outdatedText).not.toContain('a-token-of-eight');
  });

  test.each([
    ['javascript:alert(1)', 'Enter an address such as'],
    ['file:///etc/passwd', 'Enter an address such as'],
    ['http://169.254.169.254', 'must begin with https://'],
    ['https://169.254.169.254', 'private network'],
    ['http://[::ffff:127.0.0.1]', 'must begin with https://'],
    ['https://[::ffff:169.254.169.254]', 'private network'],
    ['http://2130706433', 'must begin with https://'],
    ['https://user:pass@host.example.com', 'Remove everything before the @'],
    ['https://host.example.com/?a=b', 'Remove everything from the ? or # on.'],
    ['posts.example.com', 'Enter an address such as'],
  ])('the address %s is rejected under its field, and nothing is stored', async (address, expectedError) => {
    expect((await connect({ address })).errors['Address of the service']).toContain(expectedError);
    expect(await listStoredCredentials()).toEqual([]);
  });

  const createFailingLookup =
    (code: string): Lookup =>
    (_host, _options, callback) =>
      setImmediate(() => callback(Object.assign(new Error(code), { code }), []));

  test.each([
    // Link-local addresses are blocked regardless of the settings.
    ['in a private network', createScriptedLookup(['169.254.169.254']).lookup],
    ['without an address', createScriptedLookup([]).lookup],
    ['that does not exist', createFailingLookup('ENOTFOUND')],
    ['that cannot be looked up', createFailingLookup('EAI_AGAIN')],
  ])(
    'an owner reads the same error for a host %s, which reveals nothing about the network',
    async (_host, failingLookup) => {
      lookup = failingLookup;
      const { errors } = await connect({});
      const expectedError = 'I couldn’t find this host. Check the name and try again.';
      expect(errors).toEqual({ 'Address of the service': expectedError });
      expect(await listStoredCredentials()).toEqual([]);
    },
  );

  test.each(['short', 'with a space in it', 'line\nbreak-in-it', 'ünïcödé-tokens'])(
    'the invalid token %j is rejected, and nothing is stored',
    async (token) => {
      expect((await connect({ token })).errors.Token).toContain('at least 8 characters and no spaces');
      expect(await listStoredCredentials()).toEqual([]);
    },
  );

  test('an owner gets an error for a token that the service refuses, and the token isn’t stored', async () => {
    const { errors } = await connect({ token: 'another-token' });
    expect(errors).toEqual({ Token: 'The service doesn’t accept this token.' });
    expect(await listStoredCredentials()).toEqual([]);
  });

  test('if the service is slow, the result replaces the form later, and the token is stored', async () => {
    await service.faults.set({ rules: [{ fault: 'slow', delayMs: 2_500 }] });
    const submitted = await connect({});
    expect(submitted.view?.text()).toContain('Testing the connection.');
    await expect.poll(() => submitted.view?.text()).toContain('Connected.');
    expect(await listStoredCredentials()).toHaveLength(1);
  });

  test('an owner connects a single project with its own token, and other projects can’t be used', async () => {
    const ana = getOwner();
    const firstResult = await connect({ project: 'Night Books' });
    expect(firstResult.errors['Only for one project']).toContain('The token sees 2 projects');
    await firstResult.view?.fill('Only for one project', 'night market books');
    const submitted = await firstResult.view?.submit();
    expect(submitted?.view?.text()).toContain('“Night Market Books” is connected with its own token.');
    await ask(ana, '/upnext projects', 'Night Market Books');
    expect(ana.read().split('/upnext projects').at(-1)).not.toContain('Harbour Coffee');
  });

  test('the beginning of a project’s name doesn’t connect that project', async () => {
    for (const project of ['n', 'Night Market']) {
      const { errors, view } = await connect({ project });
      expect(errors['Only for one project']).toContain('This token can’t see that project');
      await view?.close();
    }
    expect(await listStoredCredentials()).toEqual([]);
  });

  test('[Replace] names the project, also after it has got another name, and replaces no other connection', async () => {
    const ana = getOwner();
    await (await connect({ project: 'Night Market Books' })).view?.close();
    const [{ project } = { project: '' }] = await listStoredCredentials();
    const storedName = (name: string) => {
      const connection = JSON.stringify({ url: tlsFront.url, token: 'an-old-token', name });
      return { connection: running.encryption.encrypt(connection, 'T01HARBOUR', project) };
    };
    await database.db.updateTable('credential').set(storedName('Old Books')).execute();
    await ask(ana, '/upnext connect', 'Old Books has its own token');
    const form = await pressForForm(ana, 'Replace', TITLE);
    expect(form.value('Only for one project')).toBe(`Old Books (${project})`);
    await fillIn(form, {
      // The same address as somebody may type it.
      'Address of the service': ` ${tlsFront.url.replace(/\/$/, '')}`,
      ...{ Token: SERVICE_TOKEN.replaceAll(' ', '-'), 'Only for one project': '' },
    });
    const failed = await form.submit();
    expect(failed.errors).toEqual({
      'Only for one project': 'Name it. For all projects, press “Connect a service” instead.',
    });
    await failed.view?.fill('Only for one project', `Old Books (${project})`);
    const submitted = await failed.view?.submit();
    expect(submitted?.view?.text()).toContain('“Night Market Books” is connected with its own token.');
    expect(await listStoredCredentials()).toMatchObject([{ project }]);
  });

  test('[Replace] with the address of another service doesn’t take a project there that has the same id', async () => {
    const ana = getOwner();
    await (await connect({ project: 'Night Market Books' })).view?.close();
    const [{ project } = { project: '' }] = await listStoredCredentials();
    const otherService = { url: 'https://old.example.com', token: 'an-old-token', name: 'Old Books' };
    const connection = running.encryption.encrypt(JSON.stringify(otherService), 'T01HARBOUR', project);
    await database.db.updateTable('credential').set({ connection }).execute();
    await ask(ana, '/upnext connect', 'Old Books has its own token');
    const form = await pressForForm(ana, 'Replace', TITLE);
    await fillIn(form, {
      'Address of the service': tlsFront.url,
      Token: SERVICE_TOKEN.replaceAll(' ', '-'),
    });
    const { errors } = await form.submit();
    expect(errors['Only for one project']).toContain('This token can’t see that project');
    expect(await listStoredCredentials()).toMatchObject([{ project, connection }]);
  });

  describe('of another service', () => {
    let rival: ScriptedService;
    let rivalFront: Awaited<ReturnType<typeof startTlsFront>>;
    const listMarks = async () =>
      (await database.db.selectFrom('known_service').select('service').orderBy('service').execute()).map(
        ({ service: mark }) => mark,
      );
    beforeEach(async () => {
      rival = await startScriptedService();
      rivalFront = await startTlsFront(rival.url, [HOST], certificate);
      await (await connect({})).view?.close();
    });
    afterEach(async () => {
      await rivalFront.close();
      await rival.stop();
    });
    const connectRival = (moved: boolean) =>
      connect({ address: rivalFront.url, token: 'a-rival-token', moved }, getOwner(), 'Replace');

    test('the owner reads that its projects start with nothing, and that those of before wait', async () => {
      const text = (await connectRival(false)).view?.text();
      expect(text).toContain('roles for all projects count there too, and everything else starts anew.');
      expect(text).toContain('What belongs to the earlier service waits until you connect it again.');
      expect(await listMarks()).toEqual(['', '2']);
      expect((await connect({}, getOwner(), 'Replace')).view?.text()).toContain('This is another service');
      expect(await listMarks()).toEqual(['', '2']);
    });

    test('the owner reads the same if they disconnected the earlier one first', async () => {
      const ana = getOwner();
      await ask(ana, '/upnext connect', 'This workspace is connected');
      await confirmAndSee(ana, 'Disconnect', 'isn’t connected to a scheduling service.');
      const submitted = await connect({ address: rivalFront.url, token: 'a-rival-token' });
      expect(submitted.view?.text()).toContain('This is another service than before');
    });

    test('the owner reads that a project of another service starts anew', async () => {
      const project = { address: rivalFront.url, token: 'a-rival-token', project: 'Harbour Coffee' };
      const submitted = await connect(project, getOwner(), 'Connect a service');
      expect(submitted.view?.text()).toContain('It’s at another service than the rest');
    });

    test('the owner reads that it isn’t clear which of several services has moved', async () => {
      const project = { address: rivalFront.url, token: 'a-rival-token', project: 'Harbour Coffee' };
      await (await connect(project, getOwner(), 'Connect a service')).view?.close();
      const { errors } = await connect({ ...project, moved: true }, getOwner(), 'Connect a service');
      expect(errors['Has the service moved?']).toContain('I don’t know which of your services has moved.');
    });

    test('a service that has only moved keeps its projects', async () => {
      expect((await connectRival(true)).view?.text()).not.toContain('another service');
      expect(await listMarks()).toEqual(['', '']);
      const { host } = new URL(rivalFront.url);
      await ask(getOwner(), '/upnext audit connect', `connected ${host} as the service of before`);
    });
  });

  test('a token that sees a project that can’t be read isn’t said to see none', async () => {
    await service.faults.set({ rules: [{ fault: 'garbage', garbage: 'data-nested' }] });
    const failed = await connect({ project: 'Night Books' });
    expect(failed.errors['Only for one project']).toBe('The token sees projects that I can’t read.');
    await failed.view?.fill('Only for one project', '');
    const text = (await failed.view?.submit())?.view?.text();
    expect(text).toContain('Connected. The token sees projects that I can’t read.');
  });

  test('after a removal, the list is on the same page', async () => {
    const ana = getOwner();
    for (let index = 0; index < 22; index += 1) {
      const project = `p${index.toString().padStart(2, '0')}`;
      const connection = JSON.stringify({ url: tlsFront.url, token: 'secret-token', name: project });
      await saveCredential(database.db, {
        ...{ id: project, workspace: 'T01HARBOUR', project, connected_by: 'U01ANAFERR' },
        ...{
          connection: running.encryption.encrypt(connection, 'T01HARBOUR', project),
          connected_at: new Date(0),
        },
      });
    }
    await askAndPress(ana, '/upnext connect', 'Next page', '21 to 22');
    await confirmAndSee(ana, 'Remove it', '21 to 21');
  });

  test('an owner removes a connection after confirming', async () => {
    const ana = getOwner();
    await connect({});
    await ana.type('/upnext digest me weekdays 8:30 in Berlin for Harbour Coffee');
    await ana.sees('The first digest comes on');
    await ana.type('/upnext connect');
    await confirmAndSee(ana, 'Disconnect', 'This workspace isn’t connected to a scheduling service.');
    await ana.choose('More options', 'Preview for me');
    await ana.sees('An Owner can change that with /upnext connect. There is no preview.');
    expect(await listStoredCredentials()).toEqual([]);
    await ana.type('/upnext audit connect posts.example.com');
    const { host } = new URL(tlsFront.url);
    await seeAll(ana, `connected ${host}`, `disconnected ${host}`);
    await ask(ana, '/upnext projects', 'isn’t connected to a scheduling service');
  });

  test('posts that a connection to another service has stopped go on when theirs is connected again', async () => {
    const ana = getOwner();
    await (await connect({})).view?.close();
    await holdPost(running, { text: 'Hello', at: '2099-01-01T09:00Z' });
    await changeHeldPosts(database, { state: 'needs-person', reason: 'other-service', next_at: null });
    await ask(
      ana,
      '/upnext digest me weekdays 8:30 in Berlin for Harbour Coffee',
      'The first digest comes on',
    );
    await pauseDigests(database.db, { workspace: 'T01HARBOUR' }, { reason: 'project-gone', now: new Date() });
    await connect({}, ana, 'Replace');
    const findState = () =>
      database.db.selectFrom('held_post').select(['state', 'reason']).executeTakeFirst();
    await expect.poll(findState).toEqual({ state: 'held', reason: null });
    const entries = await readAuditLines(database.db);
    expect(entries.filter((line) => line.startsWith('held-posts restore'))).toHaveLength(1);
    await expect
      .poll(() => database.db.selectFrom('digest').select('state').execute())
      .toContainEqual({ state: 'on' });
    await ask(ana, '/upnext audit digests', 'resumed a digest');
  });

  test('after a removal, a post that waited for that token goes through the workspace’s', async () => {
    const ana = getOwner();
    await connect({});
    await (await connect({ project: 'Night Market Books' }, ana, 'Connect a service')).view?.close();
    await ana.type('/schedule-post 1 Dec 2030 9am on x for Night Market Books: Open late');
    await service.faults.set({ rules: [{ fault: 'status', status: 401 }] });
    await (await (await ana.modal('Schedule a post')).submit()).view?.close();
    await service.faults.clear();
    await ana.type('/upnext connect');
    await ana.press('Remove it', { dialog: 'confirm' });
    await expect
      .poll(() => database.db.selectFrom('submission').select('state').execute())
      .toEqual([{ state: 'confirmed' }]);
  });

  test('an owner is notified once that the service refuses the token, although Slack can’t reach another owner', async () => {
    const ana = getOwner();
    await connect({});
    await saveGrant(database.db, {
      ...{ workspace: 'T01HARBOUR', subjectKind: 'person', subject: 'U0UNREACHABLE', project: '' },
      ...{ role: 'owner', reason: 'given', grantedBy: 'U0UNREACHABLE', grantedAt: new Date(0) },
    });
    await service.faults.set({ rules: [{ fault: 'status', status: 401 }] });
    await ana.type('/upnext');
    await ana.type('/upnext projects');
    const directMessages = await running.workspace.as('Ana').inDirectMessage();
    await directMessages.sees('The scheduling service refuses the access token of this workspace.');
    expect(directMessages.read().split('refuses the access token')).toHaveLength(2);
  });

  test('if the only owner has left, the next one is told that the service refuses the token', async () => {
    const grant = (subject: string, role: 'owner' | 'viewer') =>
      saveGrant(database.db, {
        ...{ workspace: 'T01HARBOUR', subjectKind: 'person', subject, project: '' },
        ...{ role, reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: new Date(0) },
      });
    await grant('U01ANAFERR', 'owner');
    await grant('U02BENOKAF', 'viewer');
    await connect({});
    running.workspace.admin.deactivate('Ana');
    await service.faults.set({ rules: [{ fault: 'status', status: 401 }] });
    const ben = running.workspace.as('Ben').in('#general');
    await ben.type('/upnext');
    await expect.poll(() => running.logged.join()).toContain('could not notify owners about a refused token');
    await grant('U02BENOKAF', 'owner');
    await ben.type('/upnext projects');
    const directMessages = await running.workspace.as('Ben').inDirectMessage();
    await directMessages.sees('The scheduling service refuses the access token of this workspace.');
  });
});

test('two workspaces have separate connections, and cannot use each other’s buttons', async () => {
  const { workspace, installUrl } = running;
  const books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
  await books.as('Rosa').install(installUrl);
  const rosa = getOwner(books, 'Rosa');
  await connect({});
  await ask(rosa, '/upnext projects', 'An Owner can change that with /upnext connect: @Rosa');

  await connect({}, rosa);
  const [ownCredential] = (await listStoredCredentials()).filter((row) => row.workspace === 'T01HARBOUR');
  const [otherCredential] = (await listStoredCredentials()).filter((row) => row.workspace === books.id);
  await rosa.type('/upnext connect');
  // Swaps the ids of the two rows, so that Rosa's button refers to Ana's connection.
  for (const [from, to = ''] of [
    [ownCredential?.id, 'temporary'],
    [otherCredential?.id, ownCredential?.id],
    ['temporary', otherCredential?.id],
  ])
    await database.db
      .updateTable('credential')
      .set({ id: to })
      .where('id', '=', from ?? '')
      .execute();
  await confirmAndSee(rosa, 'Disconnect', 'Somebody has replaced or removed this.');
  expect(await listStoredCredentials()).toHaveLength(2);
});

/** Maximum number of blocks in a message in Slack. */
const MAX_BLOCKS = 50;

const createProjects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `P${index}` }));

test.each([
  [0, false, 'This token can’t see a project yet.'],
  [0, true, 'The token sees projects that I can’t read.'],
  [1, false, 'The token sees one project: P0.'],
  [1, true, 'The token sees more than one project: P0 and others.'],
  [5, false, 'The token sees 5 projects: P0, P1, P2, P3 and P4.'],
  [7, false, 'The token sees 7 projects: P0, P1, P2, P3, P4 and 2 more.'],
  [2_000, true, 'The token sees more than 2000 projects: P0, P1, P2, P3, P4 and others.'],
])('for %i readable projects (the list is truncated: %s) the text is: %s', (count, isTruncated, text) =>
  expect(renderVisibleProjects({ items: createProjects(count), isTruncated })).toBe(text),
);

const problems = [{ field: undefined, loc: [], message: 'Invalid\ntoken', type: '' }];

test.each<[Exclude<OutcomeDetails<never>, { kind: 'done' }>, string]>([
  [{ kind: 'refused', status: 200, problems }, 'The scheduling service didn’t accept this. Invalid token'],
  [
    { kind: 'refused', status: 409 },
    'The scheduling service says that this conflicts with something it has.',
  ],
  [{ kind: 'invalid', problems }, 'The scheduling service didn’t accept this. Invalid token'],
  [
    { kind: 'unknown', cause: 'success-false', status: 201, problems },
    'The scheduling service didn’t answer properly. Invalid token',
  ],
  [{ kind: 'unknown', cause: 'unexpected-status', status: 404 }, 'This isn’t a scheduling service.'],
  [{ kind: 'unknown', cause: 'unreadable-response', status: 200 }, 'This isn’t a scheduling service.'],
])('the refusal %j of a service is not reported as a wrong address', (outcome, address) =>
  expect(renderConnectionError({ ...outcome, requestId: 'r' })).toEqual({ address }),
);

test('the connections of many projects are on pages, and each can be removed', () => {
  const connection = { url: 'https://posts.example', connectedBy: 'U1', connectedAt: new Date(0) };
  const connections = [
    { ...connection, id: '' },
    ...createProjects(45).map((project) => ({ ...connection, id: project.id, project })),
  ];
  const pages = [0, 1, 2].map((page) => renderConnections(connections, 'none', { page }).blocks ?? []);
  for (const blocks of pages) expect(blocks.length).toBeLessThanOrEqual(MAX_BLOCKS);
  const buttons = JSON.stringify(pages);
  for (const { id } of connections) expect(buttons).toContain(`"action_id":"connect.remove","value":"${id}"`);
  expect(pages.map((blocks) => JSON.stringify(blocks).match(/connect\.(?:previous|next)/g))).toEqual([
    ['connect.next'],
    ['connect.previous', 'connect.next'],
    ['connect.previous'],
  ]);
});

test('a busy app is not reported as a wrong address', () => {
  const error = renderConnectionError({ kind: 'not-applied', cause: 'busy', requestId: 'r' });
  expect(error).toEqual({ address: 'I’m busy reading other lists. Try again in a minute.' });
});
