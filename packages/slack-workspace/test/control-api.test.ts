import { beforeEach, describe, expect, it } from 'vitest';
import { createControlClient } from './support/control-client.ts';
import { openBolt } from './support/fixtures.ts';
import { addTodoListeners, TODO_MANIFEST } from './support/todo-app.ts';

const fixture = await openBolt({ manifest: TODO_MANIFEST, waitMs: 1_000 });
addTodoListeners(fixture.app);
const control = await createControlClient(fixture.workspace.controlUrl);

/** Calls of a person that succeed. */
const callsOf = (person: string) => (operation: string, body?: object) =>
  control.call(operation, { person }, body);
const [ana, ben] = [callsOf('Ana'), callsOf('Ben')];

describe('the control API', () => {
  beforeEach(async () => void (await control.call('reset')));
  it('a person opens a form with a command, fills it in, presses its button, and reads the result', async () => {
    await ana('open', { channel: '#general' });
    await ana('type', { text: '/todo' });
    const filled = await ana('fill', {
      fields: { Task: 'Buy milk', Priority: 'High', Tags: ['home', 'shop'], For: 'Ben', Due: '2026-12-01' },
    });
    expect(filled.modal).toMatchObject({
      title: 'New task',
      fields: [
        { label: 'Task', type: 'plain_text_input', value: 'Buy milk' },
        { label: 'Priority', value: 'High' },
        { label: 'Tags', value: 'home, shop' },
        { label: 'For', value: 'Ben Okafor' },
        { label: 'Due', value: '2026-12-01' },
        { label: 'Notes', value: '' },
      ],
      buttons: ['Cancel', 'Add'],
    });
    await ana('press', { button: 'Add' });
    const seen = await ana('wait', { text: 'Buy milk (High)' });
    expect(seen).toMatchObject({ place: '#general', modal: null });
    expect(seen.messages.at(-1)).toMatchObject({ buttons: ['Done'], ephemeral: false, user: 'todo' });
    await ben('press', { button: 'Done' });
    await ana('wait', { text: 'Done: Buy milk', no_text: '[Done]' });
  });

  it('an error under a field is part of the modal', async () => {
    await ana('type', { text: '/todo' });
    await ana('fill', { fields: { Task: 'x' } });
    const { modal } = await ana('press', { button: 'Add' });
    expect(modal.fields[0]).toMatchObject({ label: 'Task', error: 'Write at least two letters.' });
    const { modal: closed } = await ana('press', { button: 'Cancel' });
    expect(closed).toBeNull();
  });

  it.each([
    ['read', { person: 'Zoe' }, undefined, 404, 'unknown_person', 'Nobody in this workspace is called Zoe.'],
    ['read', { person: 'Lena' }, undefined, 409, 'deactivated_person', 'The account of Lena'],
    ['open', { person: 'Ana' }, { channel: '#nowhere' }, 404, 'unknown_channel', 'There is: #general,'],
    ['open', { person: 'Ana' }, { chanel: '#general' }, 400, 'invalid_request', 'The body is invalid.'],
    ['shortcut', { person: 'Ana' }, { name: 'Sing' }, 404, 'unknown_shortcut', 'no shortcut “Sing”'],
    ['react', { person: 'Ana' }, { message: 'Nope', emoji: 'eyes' }, 404, 'unknown_message', '“Nope”'],
    ['type', { person: 'Ana' }, { text: '/slow' }, 200, '', ''],
    ['waitForCall', {}, { method: 'pins.add', timeout_ms: 10 }, 409, 'not_called', 'Calls so far:'],
    [
      'wait',
      { person: 'Ana' },
      { text: 'No', timeout_ms: 10 },
      409,
      'not_visible',
      'Waited 0.01 s for “No”.',
    ],
    ['read', { person: 'Ana', team: 'T0' }, undefined, 404, 'unknown_team', 'There is no workspace T0.'],
  ])('%s %j %j answers %i %s', async (operation, params, body, status, code, message) => {
    const answer = await control.send(operation, params, body);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body.error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('a person chooses from a menu in a message, and from one that the app fills', async () => {
    await ana('open', { tab: 'home' });
    await ana('wait', { text: 'Your tasks' });
    const { options } = await ana('options', { menu: 'List', typed: 'sh' });
    expect(options).toEqual(['Shopping']);
    const { place, text } = await ana('fill', { fields: { List: 'Shopping' } });
    expect(place).toBe('Home');
    expect(text).toContain('Your tasks');
    await ana('wait', { text: 'Tasks of Shopping' });
  });

  it('the app’s calls and requests so far can be read', async () => {
    await ana('type', { text: '/todo Buy milk' });
    expect((await control.call('waitForCall', {}, { method: 'chat.postMessage' })).payload).toMatchObject({
      text: 'Buy milk',
    });
    const { calls } = await control.call('listCalls', { method: 'chat.postMessage' });
    expect(calls).toHaveLength(1);
    const { requests } = await control.call('listRequests', { kind: 'slash_commands' });
    expect(requests).toMatchObject([{ name: '/todo Buy milk', payload: { text: 'Buy milk' } }]);
  });

  it('people and channels come, change and go', async () => {
    const person = await control.call('addPerson', {}, { name: 'Zoe Lind', time_zone: 'Europe/Stockholm' });
    expect(person).toMatchObject({ handle: 'zoe', role: 'member', time_zone: 'Europe/Stockholm' });
    await control.call('changePerson', { person: 'Zoe' }, { name: 'Zoe Berg', role: 'admin' });
    const channel = await control.call('addChannel', {}, { name: '#launch', members: ['Zoe'] });
    expect(channel).toMatchObject({ name: 'launch', members: ['Zoe Berg', 'todo'], has_app: true });
    await control.call('addMember', { channel: '#launch' }, { person: 'Ben' });
    await control.call('changeChannel', { channel: 'launch' }, { name: 'lift-off' });
    await ben('open', { channel: '#lift-off' });
    await ben('type', { text: '/todo Fuel' });
    await ben('wait', { text: 'Fuel' });
    await control.call('removeMember', { channel: '#lift-off', person: 'Ben' });
    await control.call('deactivatePerson', { person: 'Zoe' });
    const shared = await control.call('shareChannel', { channel: '#lift-off' }, { id: 'T02ROASTER' });
    expect(shared.shared_with).toEqual(['T02ROASTER']);
    const organisation = { channel: '#lift-off', organisation: 'T02ROASTER' };
    expect((await control.call('unshareChannel', organisation)).shared_with).toEqual([]);
    const { channels } = await control.call('listChannels');
    expect(channels.find(({ name }: { name: string }) => name === 'lift-off').members).toEqual(['todo']);
    await control.call('deleteChannel', { channel: 'lift-off' });
    const { people } = await control.call('listPeople');
    expect(people.find(({ name }: { name: string }) => name === 'Zoe Berg').deactivated).toBe(true);
  });

  it('workspaces, user groups and custom emoji come', async () => {
    const { app, workspace } = fixture;
    const { id: team } = await control.call(
      'addTeam',
      {},
      { name: 'Night Market Books', people: [{ name: 'Rosa Lima' }], channels: ['#posts'], installed: true },
    );
    expect((await control.call('listTeams')).teams).toEqual([
      { id: workspace.team.id, name: 'Harbour Coffee' },
      { id: team, name: 'Night Market Books' },
    ]);
    const { bot_token: token } = await control.call('getWorkspace', { team });
    expect(await app.client.auth.test({ token })).toMatchObject({ team_id: team });
    expect(await control.call('read', { team, person: 'Rosa' })).toHaveProperty('place', '#posts');

    const group = await control.call('addGroup', {}, { handle: '@baristas', members: ['Ana', 'Ben'] });
    expect(group).toMatchObject({ handle: 'baristas', members: ['Ana Ferreira', 'Ben Okafor'] });
    await control.call('changeGroup', { group: 'baristas' }, { members: ['Mira'] });
    const { usergroups } = await app.client.usergroups.list({ include_users: true });
    expect(usergroups).toMatchObject([{ handle: 'baristas', users: ['U03MIRAVOS'] }]);
    await control.call('addEmoji', { emoji: 'cup' }, { picture: 'https://example.com/cup.png' });
    expect((await app.client.emoji.list()).emoji).toEqual({ cup: 'https://example.com/cup.png' });
    expect((await control.fail('changeGroup', { group: 'nobody' }, {})).error.code).toBe('unknown_group');
  });

  it('the clock moves, and faults happen', async () => {
    const { now } = await control.call('moveClock', {}, { now: '2030-01-01T12:00:00+01:00' });
    expect(now.slice(0, 13)).toBe('2030-01-01T11');
    await control.call('moveClock', {}, { advance_seconds: 3_600 });
    expect((await control.call('getClock')).now.slice(0, 13)).toBe('2030-01-01T12');
    expect(Math.abs((await control.call('resetClock')).offset_ms)).toBe(0);

    await control.call('setFaults', {}, { webApi: [{ fault: 'error', error: 'fatal_error', times: 1 }] });
    await ana('type', { text: '/todo Buy milk' });
    await control.call('waitForCall', {}, { method: 'chat.postMessage' });
    expect((await control.call('getFaults')).faults).toEqual({ 'error fatal_error': 1 });
    expect((await control.call('clearFaults')).plan).toEqual({});
  });

  it('a person mentions the app, reacts to a message, and runs a message shortcut', async () => {
    await ana('open', { channel: '#general' });
    await ana('mention', { text: 'hello' });
    await ana('wait', { text: 'At your service' });
    const { text } = await ana('react', { message: 'At your', emoji: 'eyes' });
    expect(text).toContain(':eyes: 1');
    await ana('shortcut', { name: 'Make a task', on_message: 'hello' });
    await ana('wait', { modal: 'New task' });
    const base64 = Buffer.from('Two litres').toString('base64');
    const { modal } = await ana('fill', {
      fields: { Notes: { files: [{ name: 'milk.txt', base64 }] }, Priority: 'Low' },
    });
    expect(modal.text).toContain('milk.txt');
    const emptied = await ana('fill', { fields: { Priority: null } });
    expect(emptied.modal.fields[1]).toMatchObject({ label: 'Priority', value: '' });
  });

  it('a person drops a file into a channel, with a message or without', async () => {
    await ana('open', { channel: '#general' });
    const files = [{ name: 'plan.csv', base64: Buffer.from('Time,Text').toString('base64') }];
    const { text } = await ana('drop', { files, text: 'Our plan' });
    expect(text).toContain('Our plan');
    expect(text).toContain('plan.csv');
    await ana('drop', { files });
    const { error } = await control.fail('drop', { person: 'Ana' }, { files: [] });
    expect(error.code).toBe('invalid_request');
  });

  it('a person installs the app, and the error says why that failed', async () => {
    const { url } = fixture.workspace;
    const failure = await control.fail('install', { person: 'Ana' }, { url });
    expect(failure.error).toMatchObject({ code: 'install_failed', message: `${url} doesn't lead to Slack.` });
    const query = 'client_id=unknown&scope=commands&redirect_uri=http://127.0.0.1:9/';
    const refused = await control.fail(
      'install',
      { person: 'Ana' },
      { url: `${fixture.workspace.authorizeUrl}?${query}` },
    );
    expect(refused.error.message).toContain('Slack says:');
  });

  it('a person presses Enter in a field', async () => {
    await ana('type', { text: '/todo' });
    await ana('fill', { fields: { Task: 'Milk' } });
    const { modal } = await ana('enter', { field: 'Task' });
    expect(modal.fields[0].value).toBe('Milk');
    for (const Due of ['tomorrow', '2026-02-30']) {
      const { error } = await control.fail('fill', { person: 'Ana' }, { fields: { Due } });
      expect(error).toMatchObject({
        code: 'wrong_element',
        message: `A datepicker can't hold “${Due}”`,
      });
    }
  });

  it('the workspace names the tokens with which an app connects', async () => {
    const { workspace } = fixture;
    expect(await control.call('getWorkspace')).toMatchObject({
      api_url: workspace.apiUrl,
      bot_token: workspace.botToken,
      signing_secret: workspace.signingSecret,
      app: { name: 'Todo', connected: true },
    });
    await control.call('waitForConnection', {}, { timeout_ms: 0 });
  });

  it('a wrong path, a body that isn’t JSON and a page of another origin get an error', async () => {
    const send = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${fixture.workspace.controlUrl}${path}`, init);
      const { error } = (await response.json()) as { error: { code: string } };
      return [response.status, error.code];
    };
    expect(await send('/nothing')).toEqual([404, 'unknown_route']);
    expect(await send('/reset')).toEqual([404, 'unknown_route']);
    expect(await send('')).toEqual([404, 'unknown_route']);
    expect(await send('/people/%E0%A4/screen')).toEqual([404, 'unknown_person']);
    expect(await send('/people', { method: 'POST', body: '{' })).toEqual([400, 'invalid_request']);
    const headers = { origin: 'http://elsewhere.example' };
    expect(await send('/reset', { method: 'POST', headers })).toEqual([403, 'foreign_origin']);
  });

  // The last test of this file: the others have tried all operations.
  it('every operation of the OpenAPI document was tried', () => {
    expect(control.document.servers[0].url).toBe(fixture.workspace.controlUrl);
    // steps.test.ts tries these.
    expect(control.listUntried()).toEqual(['runStep', 'waitForStep']);
  });
});
