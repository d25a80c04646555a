import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, NOW, openBotDatabase, type Running, startBot } from '../../support/bot.ts';
import { startPracticeService } from '../../support/practice-service.ts';

type Service = Awaited<ReturnType<typeof startPracticeService>>;
interface Listed {
  Id: string;
  Name?: string;
  Description: string;
  Source: { Source: string };
}

const NAME = 'News from our own blog';
const OLD = 'https://harbour-coffee.example/blog/feed.xml';
const SECRET = 'https://feeds.example/?key=s3cr3t-0001';

let database: BotDatabase;
let service: Service;
let running: Running;

beforeAll(async () => {
  [database, service] = await Promise.all([openBotDatabase(), startPracticeService({ now: () => NOW })]);
});
beforeEach(async () => {
  await service.faults.clear();
  await ask((await blog()).path, 'PUT', { Description: NAME, Source: { Source: OLD } });
  running = await startBot({ db: database.db, service, practice: true });
});
afterEach(() => running.close());
afterAll(() => Promise.all([database.close(), service.close()]));

async function ask(path: string, method = 'GET', body?: object) {
  const answer = await fetch(`${service.url}/api/v1/projects${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { data: Listed[] }).data;
}

/** The blog of Harbour Coffee as the service has it, and its address there. */
async function blog() {
  const project = (await ask('')).find(({ Name }) => Name === 'Harbour Coffee')?.Id ?? '';
  const all = await ask(`/${project}/sources`);
  const source = all.toSorted((one, other) => one.Id.localeCompare(other.Id))[0];
  return {
    path: `/${project}/sources/${source?.Id}`,
    description: source?.Description,
    value: source?.Source.Source,
  };
}

async function form() {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/update-source harbour coffee blog');
  return { ana, form: await ana.modal('Update a source') };
}

/** Writes another value and comes to the second look. */
async function reviewed(value = SECRET) {
  const opened = await form();
  await opened.form.fill('Value', value);
  const { view } = await opened.form.submit();
  if (!view) throw new Error('nothing to review');
  return { ...opened, review: view };
}

test('a source is chosen, changed with its present values before one, and read back from the service', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/update-source');
  let opened = await ana.modal('Update a source');
  expect(opened.labels()).toEqual(['Project', 'Source']);
  await opened.choose('Project', 'Harbour Coffee');
  await opened.search('Source', 'blog');
  await opened.choose('Source', 'News from our own blog');
  await ana.sees(OLD);
  opened = await ana.modal('Update a source');
  expect(opened.value('Description')).toBe('News from our own blog');
  await opened.fill('Description', 'Blog, English');
  const { view } = await opened.submit();
  expect(view?.title()).toBe('Update this source?');
  for (const part of ['News from our own blog', 'Blog, English', 'Value: stays as it is.'])
    expect(view?.text()).toContain(part);
  await view?.submit();
  await ana.sees('is updated.');
  expect(await blog()).toMatchObject({ description: 'Blog, English', value: OLD });
});

test('a value stands in the form alone: no message, no log line and nothing in the database shows it', async () => {
  const { ana, review } = await reviewed();
  expect(review.text()).toContain(OLD);
  expect(review.text()).toContain(SECRET);
  await review.submit();
  await ana.sees('is updated.');
  expect((await blog()).value).toBe(SECRET);
  await ana.type('/upnext sources harbour coffee');
  await ana.sees('3 sources of Harbour Coffee');
  const kept = await Promise.all(
    (['submission', 'open_form'] as const).map((table) =>
      database.db.selectFrom(table).selectAll().execute(),
    ),
  );
  const shown = [ana.read(), running.logged.join('\n'), JSON.stringify(kept)].join('\n');
  for (const value of [OLD, SECRET, 's3cr3t']) expect(shown).not.toContain(value);
  expect(shown).toContain('••••••••');
});

test('one press puts the old values back, once', async () => {
  const { ana, review } = await reviewed();
  const { view } = await review.submit();
  await view?.press('Put the old values back');
  await ana.sees('The old values of “News from our own blog” are back.');
  expect((await blog()).value).toBe(OLD);
  // And that can be taken back, too.
  await (await ana.modal('Put back')).press('Put the old values back');
  await ana.sees('The old values');
  await expect.poll(async () => (await blog()).value).toBe(SECRET);
});

test('when the form is closed the list of sources still puts them back, for who changed them and for 24 hours', async () => {
  const { ana, review } = await reviewed();
  await (await review.submit()).view?.close();
  const ben = running.workspace.as('Ben').in('#general');
  await ben.type('/upnext sources harbour coffee');
  await ben.sees('3 sources of Harbour Coffee');
  await expect(ben.press('Put the old values back')).rejects.toThrow();
  await ana.type('/upnext sources harbour coffee');
  await ana.press('Put the old values back');
  await ana.sees('The old values of “News from our own blog” are back.');
  expect((await blog()).value).toBe(OLD);
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await database.db.updateTable('submission').set({ changed_at: dayAgo }).execute();
  const elsewhere = running.workspace.as('Ana').in('#random');
  await elsewhere.type('/upnext sources harbour coffee');
  await elsewhere.sees('3 sources of Harbour Coffee');
  expect(elsewhere.read()).not.toContain('Put the old values back');
});

test('what somebody else has changed since is shown before the old values replace it', async () => {
  const { ana, review } = await reviewed();
  const { view } = await review.submit();
  await ask((await blog()).path, 'PUT', {
    Description: 'Theirs',
    Source: { Source: 'https://theirs.example' },
  });
  await view?.press('Put the old values back');
  await ana.sees('was changed again since');
  expect(ana.read()).toContain('Description now: Theirs');
  expect(ana.read()).not.toContain('https://theirs.example');
  expect((await blog()).description).toBe('Theirs');
  await (await ana.modal('Changed again')).press('Put back all the same');
  await ana.sees('are back.');
  expect(await blog()).toMatchObject({ description: 'News from our own blog', value: OLD });
});

test('after 24 hours it says that they are over', async () => {
  const { ana, review } = await reviewed();
  const { view } = await review.submit();
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await database.db.updateTable('submission').set({ changed_at: dayAgo }).execute();
  await view?.press('Put the old values back');
  await ana.sees('the 24 hours for that are over');
  expect((await blog()).value).toBe(SECRET);
});

test('what was changed while the form was open is shown beside one’s own, and the person chooses', async () => {
  const { ana, review } = await reviewed();
  await ask((await blog()).path, 'PUT', { Description: 'Theirs' });
  const { view } = await review.submit();
  expect(view?.title()).toBe('Changed meanwhile');
  expect(view?.text()).toContain('Theirs');
  expect(await blog()).toMatchObject({ description: 'Theirs', value: OLD });
  await view?.press('Back');
  const again = await ana.modal('Update a source');
  expect(again.value('Value')).toBe(SECRET);
  await (await again.submit()).view?.submit();
  await ana.sees('is updated.');
  expect((await blog()).value).toBe(SECRET);
});

test('overwriting it is one press', async () => {
  const { ana, review } = await reviewed();
  await ask((await blog()).path, 'PUT', { Source: { Source: 'https://theirs.example' } });
  const { view } = await review.submit();
  expect(view?.text()).toContain('https://theirs.example');
  await view?.submit();
  await ana.sees('is updated.');
  expect((await blog()).value).toBe(SECRET);
});

test('a service that went down says that nothing was sent, and the words stay', async () => {
  const { ana, review } = await reviewed();
  await service.faults.set({ down: true });
  const { view } = await review.submit();
  expect(view?.text()).toContain('Nothing was sent.');
  await service.faults.clear();
  await view?.submit();
  await ana.sees('is updated.');
  expect((await blog()).value).toBe(SECRET);
});

test('an answer that is lost is asked for again by itself: the values are absolute', async () => {
  const { ana, review } = await reviewed();
  await service.faults.set({
    rules: [{ operation: 'updateSource', fault: 'cut', commit: 'first', times: 1 }],
  });
  await review.submit();
  await ana.sees('is updated.');
  expect((await blog()).value).toBe(SECRET);
});

test('what the service refuses stands under its field', async () => {
  const { review } = await reviewed();
  const detail = [
    { loc: ['body', 'Source', 'Source'], msg: 'is no feed', type: 'x' },
    { loc: ['body', 'Description'], msg: 'is too loud', type: 'x' },
  ];
  await service.faults.set({
    rules: [{ operation: 'updateSource', fault: 'status', status: 422, detail, times: 1 }],
  });
  const { view } = await review.submit();
  expect(view?.title()).toBe('Update a source');
  for (const part of ['is no feed', 'is too loud', SECRET]) expect(view?.text()).toContain(part);
});
