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
  await callService((await readBlog()).path, 'PUT', { Description: NAME, Source: { Source: OLD } });
  running = await startBot({ db: database.db, service, isEmulated: true });
});
afterEach(() => running.close());
afterAll(() => Promise.all([database.close(), service.close()]));

async function callService(path: string, method = 'GET', body?: object) {
  const answer = await fetch(`${service.url}/api/v1/projects${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { data: Listed[] }).data;
}

/** Harbour Coffee's blog, as the service lists it now, and its path there. */
async function readBlog() {
  const project = (await callService('')).find(({ Name }) => Name === 'Harbour Coffee')?.Id ?? '';
  const all = await callService(`/${project}/sources`);
  const source = all.toSorted((one, other) => one.Id.localeCompare(other.Id))[0];
  return {
    path: `/${project}/sources/${source?.Id}`,
    description: source?.Description,
    value: source?.Source.Source,
  };
}

async function openForm() {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/update-source harbour coffee blog');
  return { ana, form: await ana.modal('Update a source') };
}

/** Changes the value in the form and opens the review. */
async function openReview(value = SECRET) {
  const opened = await openForm();
  await opened.form.fill('Value', value);
  const { view } = await opened.form.submit();
  if (!view) throw new Error('nothing to review');
  return { ...opened, review: view };
}

test('a source is chosen, and changed in a form with its current values', async () => {
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
  expect(await readBlog()).toMatchObject({ description: 'Blog, English', value: OLD });
});

test('a value is shown only in the form: no message, log line or database row contains it', async () => {
  const { ana, review } = await openReview();
  expect(review.text()).toContain(OLD);
  expect(review.text()).toContain(SECRET);
  await review.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(SECRET);
  await ana.type('/upnext sources harbour coffee');
  await ana.sees('3 sources of Harbour Coffee');
  const stored = await Promise.all(
    (['submission', 'open_form'] as const).map((table) =>
      database.db.selectFrom(table).selectAll().execute(),
    ),
  );
  const shown = [ana.read(), running.logged.join('\n'), JSON.stringify(stored)].join('\n');
  for (const value of [OLD, SECRET, 's3cr3t']) expect(shown).not.toContain(value);
  expect(shown).toContain('••••••••');
});

test('one press puts the old values back, and another the new ones', async () => {
  const { ana, review } = await openReview();
  const { view } = await review.submit();
  await view?.press('Put the old values back');
  await ana.sees('The old values of “News from our own blog” are back.');
  expect((await readBlog()).value).toBe(OLD);
  // Putting values back can be undone too.
  await (await ana.modal('Put back')).press('Put the old values back');
  await ana.sees('The old values');
  await expect.poll(async () => (await readBlog()).value).toBe(SECRET);
});

test('for 24 hours, the list of sources offers the old values to the person who changed them', async () => {
  const { ana, review } = await openReview();
  await (await review.submit()).view?.close();
  const ben = running.workspace.as('Ben').in('#general');
  await ben.type('/upnext sources harbour coffee');
  await ben.sees('3 sources of Harbour Coffee');
  await expect(ben.press('Put the old values back')).rejects.toThrow();
  await ana.type('/upnext sources harbour coffee');
  await ana.press('Put the old values back');
  await ana.sees('The old values of “News from our own blog” are back.');
  expect((await readBlog()).value).toBe(OLD);
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await database.db.updateTable('submission').set({ changed_at: dayAgo }).execute();
  const elsewhere = running.workspace.as('Ana').in('#random');
  await elsewhere.type('/upnext sources harbour coffee');
  await elsewhere.sees('3 sources of Harbour Coffee');
  expect(elsewhere.read()).not.toContain('Put the old values back');
});

test('a later change by somebody else is shown before the old values replace it', async () => {
  const { ana, review } = await openReview();
  const { view } = await review.submit();
  await callService((await readBlog()).path, 'PUT', {
    Description: 'Theirs',
    Source: { Source: 'https://theirs.example' },
  });
  await view?.press('Put the old values back');
  await ana.sees('was changed again since');
  expect(ana.read()).toContain('Description now: Theirs');
  expect(ana.read()).not.toContain('https://theirs.example');
  expect((await readBlog()).description).toBe('Theirs');
  await (await ana.modal('Changed again')).press('Put back all the same');
  await ana.sees('are back.');
  expect(await readBlog()).toMatchObject({ description: 'News from our own blog', value: OLD });
});

test('after 24 hours the old values can’t be put back', async () => {
  const { ana, review } = await openReview();
  const { view } = await review.submit();
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await database.db.updateTable('submission').set({ changed_at: dayAgo }).execute();
  await view?.press('Put the old values back');
  await ana.sees('the 24 hours for that are over');
  expect((await readBlog()).value).toBe(SECRET);
});

test('a change by somebody else while the form was open is shown next to the person’s own', async () => {
  const { ana, review } = await openReview();
  await callService((await readBlog()).path, 'PUT', { Description: 'Theirs' });
  const { view } = await review.submit();
  expect(view?.title()).toBe('Changed meanwhile');
  expect(view?.text()).toContain('Theirs');
  expect(await readBlog()).toMatchObject({ description: 'Theirs', value: OLD });
  await view?.press('Back');
  const again = await ana.modal('Update a source');
  expect(again.value('Value')).toBe(SECRET);
  await (await again.submit()).view?.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(SECRET);
});

test('one press overwrites a change by somebody else', async () => {
  const { ana, review } = await openReview();
  await callService((await readBlog()).path, 'PUT', { Source: { Source: 'https://theirs.example' } });
  const { view } = await review.submit();
  expect(view?.text()).toContain('https://theirs.example');
  await view?.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(SECRET);
});

test('if the service is down, the form says that nothing was sent, and preserves the input', async () => {
  const { ana, review } = await openReview();
  await service.faults.set({ down: true });
  const { view } = await review.submit();
  expect(view?.text()).toContain('Nothing was sent.');
  await service.faults.clear();
  await view?.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(SECRET);
});

test('an update whose response is lost is retried automatically, because its values are absolute', async () => {
  const { ana, review } = await openReview();
  await service.faults.set({
    rules: [{ operation: 'updateSource', fault: 'cut', commit: 'first', times: 1 }],
  });
  await review.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(SECRET);
});

test('values that the service refuses are reported in the form', async () => {
  const { review } = await openReview();
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
