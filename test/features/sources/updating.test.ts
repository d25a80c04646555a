import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { NOW, type Running, startBot } from '../../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot-database.ts';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { expectNone, expectParts, submitWith } from '../../support/form-steps.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { ask, askForForm } from '../../support/steps.ts';

type Service = Awaited<ReturnType<typeof startPracticeService>>;
interface ServiceRecord {
  Id: string;
  Name?: string;
  Description: string;
  Source: { Source: string };
}

const NAME = 'News from our own blog';
const OLD_VALUE = 'https://harbour-coffee.example/blog/feed.xml';
const NEW_VALUE = 'https://feeds.example/?key=s3cr3t-0001';

let database: BotDatabase;
let service: Service;
let running: Running;

beforeAll(async () => {
  [database, service] = await Promise.all([openBotDatabase(), startPracticeService({ now: () => NOW })]);
});
beforeEach(async () => {
  await service.faults.clear();
  await callService((await readBlog()).path, 'PUT', { Description: NAME, Source: { Source: OLD_VALUE } });
  running = await startBot({ db: database.db, service, isEmulated: true, mode: 'http' });
});
afterEach(() => running.close());
afterAll(() => Promise.all([database.close(), service.close()]));

async function callService(path: string, method = 'GET', body?: object) {
  const response = await fetch(`${service.url}/api/v1/projects${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: ServiceRecord[] }).data;
}

/** Reads the path and current values of Harbour Coffee's blog from the service. */
async function readBlog() {
  const project = (await callService('')).find(({ Name }) => Name === 'Harbour Coffee')?.Id ?? '';
  const sources = await callService(`/${project}/sources`);
  const source = sources.toSorted((first, second) => first.Id.localeCompare(second.Id))[0];
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
async function openReview(value = NEW_VALUE) {
  const session = await openForm();
  const { view } = await submitWith(session.form, { Value: value });
  if (!view) throw new Error('nothing to review');
  return { ...session, review: view };
}

test('a person chooses a source, and changes its current values in the form', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  let form = await askForForm(ana, '/update-source', 'Update a source');
  expect(form.labels()).toEqual(['Project', 'Source']);
  await form.choose('Project', 'Harbour Coffee');
  await form.search('Source', 'blog');
  await form.choose('Source', 'News from our own blog');
  await ana.sees(OLD_VALUE);
  form = await ana.modal('Update a source');
  expect(form.value('Description')).toBe('News from our own blog');
  const { view } = await submitWith(form, { Description: 'Blog, English' });
  expect(view?.title()).toBe('Update this source?');
  expectParts(view?.text(), 'News from our own blog', 'Blog, English', 'Value: stays as it is.');
  await view?.submit();
  await ana.sees('is updated.');
  expect(await readBlog()).toMatchObject({ description: 'Blog, English', value: OLD_VALUE });
});

test('the project with the channel’s name is chosen', async () => {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  expect((await askForForm(ana, '/update-source', 'Update a source')).value('Project')).toBe(
    'Harbour Coffee',
  );
});

test('a source’s value is shown only in the form, and not in any message, log line or database row', async () => {
  const { ana, review } = await openReview();
  expectParts(review.text(), OLD_VALUE, NEW_VALUE);
  await review.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(NEW_VALUE);
  await ask(ana, '/upnext sources harbour coffee', 'Harbour Coffee: 3 sources');
  const storedRows = await Promise.all(
    (['submission', 'open_form'] as const).map((table) =>
      database.db.selectFrom(table).selectAll().execute(),
    ),
  );
  const visibleText = [ana.read(), running.logged.join('\n'), JSON.stringify(storedRows)].join('\n');
  expectNone(visibleText, OLD_VALUE, NEW_VALUE, 's3cr3t');
  expect(visibleText).toContain('••••••••');
});

test('a change by somebody else while the form was open is an error that shows the new values', async () => {
  const { ana, review } = await openReview();
  await callService((await readBlog()).path, 'PUT', {
    Description: 'Theirs <!here>',
    Source: { Source: 'https://theirs.example' },
  });
  const { view } = await review.submit();
  expect(view?.title()).toBe('Update a source');
  expectParts(
    view?.text(),
    'Nothing was saved.',
    'Description now: Theirs <!here>',
    'Value now: https://theirs.example',
  );
  expect(await readBlog()).toMatchObject({ description: 'Theirs <!here>', value: 'https://theirs.example' });
  expect(view?.value('Value')).toBe(NEW_VALUE);
  const nextReview = (await view?.submit())?.view;
  expect(nextReview?.text()).toContain('https://theirs.example');
  await nextReview?.submit();
  await ana.sees('is updated.');
  expect(await readBlog()).toMatchObject({ description: NAME, value: NEW_VALUE });
});

test('a copy of a submitted form does not take its own update for somebody else’s', async () => {
  await (await openReview()).review.submit();
  await expect.poll(async () => (await readBlog()).value).toBe(NEW_VALUE);
  const { body } = await deliver(running, copyLastRequest(running, 'view_submission'));
  expect(JSON.stringify(body)).toContain('is updated.');
  expect(JSON.stringify(body)).not.toContain('Nothing was saved');
});

test('if the service is down, the form says that nothing was sent, and preserves the input', async () => {
  const { ana, review } = await openReview();
  await service.faults.set({ down: true });
  const { view } = await review.submit();
  expect(view?.text()).toContain('Nothing was saved.');
  await service.faults.clear();
  await (await view?.submit())?.view?.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(NEW_VALUE);
});

test('an update whose response is lost is retried automatically, because repeating the update has the same result', async () => {
  const { ana, review } = await openReview();
  await service.faults.set({
    rules: [{ operation: 'updateSource', fault: 'cut', commit: 'first', times: 1 }],
  });
  await review.submit();
  await ana.sees('is updated.');
  expect((await readBlog()).value).toBe(NEW_VALUE);
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
  expectParts(view?.text(), 'is no feed', 'is too loud', NEW_VALUE);
});
