import { beforeEach, describe, expect, test } from 'vitest';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
});

const ana = () => running.workspace.as('Ana').in('#harbour-coffee');
const kept = () => database.db.selectFrom('zone').select(['scope', 'zone']).orderBy('scope').execute();

describe('in words', () => {
  test.each([
    ['here Berlin', 'Posts from this channel are meant in Berlin from now on.', 'channel', 'Europe/Berlin'],
    ['Asia/Tokyo for the project', 'Posts for Harbour Coffee are meant in Tokyo', 'project', 'Asia/Tokyo'],
    ['me america/new_york', 'Your posts are meant in New York', 'person', 'America/New_York'],
    ['mine: Paris', 'Your posts are meant in Paris', 'person', 'Europe/Paris'],
  ])('"%s" sets it and says what applies', async (words, said, scope, zone) => {
    await ana().type(`/upnext zone ${words}`);
    await ana().sees(said);
    await ana().sees('Posts from here begin in');
    expect(await kept()).toEqual([{ scope, zone }]);
  });

  test('"off" takes it away, and the next in line counts', async () => {
    await ana().type('/upnext zone here Berlin');
    await ana().type('/upnext zone me Paris');
    await ana().sees('Posts from here begin in Berlin: this channel');
    await ana().type('/upnext zone here off');
    await ana().sees('Posts from this channel have no zone of their own any more.');
    await ana().sees('Posts from here begin in Paris: your own zone.');
    expect(await kept()).toEqual([{ scope: 'person', zone: 'Europe/Paris' }]);
  });

  test('a zone that nobody knows changes nothing and is quoted as it is', async () => {
    await ana().type('/upnext zone here Atlantis <!channel>');
    await ana().sees('I know no single time zone “Atlantis <!channel>”. Nothing was changed.');
    expect(await kept()).toEqual([]);
  });

  test('words that are longer than any zone are said to be too long', async () => {
    await ana().type(`/upnext zone here ${'Berlin '.repeat(14_000)}`);
    await ana().sees('That is too long for a time zone: use at most 80 characters. Nothing was changed.');
    expect(await kept()).toEqual([]);
  });

  test('a service that is down is said, and nothing is changed', async () => {
    running.service.on('GET /projects', json(500, 'oops'));
    await ana().type('/upnext zone here Berlin');
    await ana().sees('Nothing was changed.');
    expect(await kept()).toEqual([]);
  });
});

describe('in the form', () => {
  test('it is seen what applies and why, and set for what is chosen', async () => {
    await ana().type('/upnext zone');
    const form = await ana().modal('Time zone');
    expect(form.text()).toContain('Posts from here begin in Lisbon: the zone of your Slack profile.');
    expect(form.text()).toContain('3. You: none');
    expect(Object.keys((await form.submit()).errors)).toEqual(['For', 'Time zone']);
    await form.choose('For', 'My own posts');
    await form.search('Time zone', 'tokyo');
    await form.choose('Time zone', 'Tokyo (UTC+09:00) — Asia/Tokyo');
    const { view } = await form.submit();
    expect(view?.text()).toContain('Your posts are meant in Tokyo from now on.');
    expect(await kept()).toEqual([{ scope: 'person', zone: 'Asia/Tokyo' }]);
  });

  test('a zone alone asks whose it shall be', async () => {
    await ana().type('/upnext zone Berlin');
    const form = await ana().modal('Time zone');
    expect(form.value('Time zone')).toContain('Europe/Berlin');
    await form.choose('For', 'This channel');
    await form.submit();
    expect(await kept()).toEqual([{ scope: 'channel', zone: 'Europe/Berlin' }]);
  });

  test('of several projects one is chosen', async () => {
    running.service.on(
      'GET /projects',
      data([
        { Id: 'p1', Name: 'Harbour Coffee' },
        { Id: 'p2', Name: 'Night Market Books' },
      ]),
    );
    await ana().type('/upnext zone project Berlin');
    const form = await ana().modal('Time zone');
    expect((await form.submit()).errors).toEqual({ Project: 'Choose a project.' });
    await form.choose('Project', 'Night Market Books');
    await form.submit();
    expect(await database.db.selectFrom('zone').select(['subject', 'zone']).execute()).toEqual([
      { subject: 'p2', zone: 'Europe/Berlin' },
    ]);
  });
});

test('one channel’s and one person’s zone are not another’s', async () => {
  await ana().type('/upnext zone here Berlin');
  await ana().type('/upnext zone me Paris');
  const ben = running.workspace.as('Ben').in('#general');
  await ben.type('/upnext zone');
  expect((await ben.modal('Time zone')).text()).toContain('Posts from here begin in New York');
});
