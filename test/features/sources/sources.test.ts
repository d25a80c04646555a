import { expect, test } from 'vitest';
import { looksMasked } from '../../../src/features/sources/source-context.ts';
import { submitWith } from '../../support/form-steps.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();

const createSource = (value?: string, description = 'Blog') => ({
  Id: 's1',
  Description: description,
  ...(value !== undefined && { Source: { Source: value } }),
});

async function startWithSources(sources: unknown) {
  await startBot();
  running.service.on('GET /sources', data(sources));
  running.service.on('PUT /s1', data(null));
  return running.workspace.as('Ana').in('#general');
}

async function openForm(sources: unknown) {
  const ana = await startWithSources(sources);
  await ana.type('/update-source s1');
  return { ana, form: await ana.modal('Update a source') };
}

const listSentBodies = () =>
  running.service.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

test('a masked value is neither prefilled nor sent back', async () => {
  const session = await openForm([createSource('sk-****1234')]);
  expect(session.form.value('Value')).toBe('');
  expect(session.form.text()).toContain('The current value looks masked');
  expect(session.form.text()).not.toContain('1234');
  await (await submitWith(session.form, { Description: 'Our blog' })).view?.submit();
  await session.ana.sees('is updated.');
  expect(listSentBodies()).toEqual([{ Description: 'Our blog' }]);
});

test('a masked value is refused if somebody types it', async () => {
  const session = await openForm([createSource('sk-****1234')]);
  await session.form.fill('Value', 'sk-****1234');
  expect((await session.form.submit()).errors.Value).toContain('looks like a masked value');
});

test.each(['https://a.example/feed?tag=coffee...&xxx=1', '[private] feed'])(
  'a real value that looks like a mask is updated: %s',
  async (value) => {
    const session = await openForm([createSource('https://a.example')]);
    const { view } = await submitWith(session.form, { Value: value });
    expect(view?.text()).toContain(value);
    await view?.submit();
    await session.ana.sees('is updated.');
    expect(listSentBodies()).toEqual([{ Description: 'Blog', Source: { Source: value } }]);
  },
);

test('a masked value can be replaced', async () => {
  const session = await openForm([createSource('••••')]);
  const { view } = await submitWith(session.form, { Value: 'sk-new' });
  expect(view?.text()).toContain('(not shown)');
  await view?.submit();
  expect(listSentBodies()).toEqual([{ Description: 'Blog', Source: { Source: 'sk-new' } }]);
});

test('a source that somebody else has deleted is not updated', async () => {
  const { form } = await openForm([createSource('https://a.example')]);
  const { view } = await submitWith(form, { Value: 'https://b.example' });
  running.service.on('GET /sources', data([]));
  const result = await view?.submit();
  expect(result?.view?.text()).toContain('Nothing was saved. This source no longer exists. Choose another.');
  expect(result?.view?.value('Value')).toBe('https://b.example');
  expect(listSentBodies()).toEqual([]);
});

test('a source that may be one that can’t be read is not called deleted', async () => {
  const { form } = await openForm([createSource('https://a.example')]);
  const { view } = await submitWith(form, { Value: 'https://b.example' });
  running.service.on('GET /sources', data([{ Name: 'without an id' }]));
  const result = await view?.submit();
  expect(result?.view?.text()).toContain('Nothing was saved. I couldn’t check for changes.');
  expect(result?.view?.text()).not.toContain('no longer exists');
});

test('a value that the service doesn’t show is not called missing', async () => {
  const ana = await startWithSources([{ Id: 's1', Name: 'Blog' }]);
  await ask(ana, '/upnext sources', 'Value: not shown');
});

test('a known value can’t be removed, and an unchanged form is not sent', async () => {
  const session = await openForm([createSource('https://a.example')]);
  expect((await session.form.submit()).errors.Description).toContain('Nothing has changed');
  // The field isn't optional, so Slack refuses an empty value.
  await session.form.fill('Value', '');
  expect((await session.form.submit()).errors.Value).toBe('Please complete this required field.');
  expect((await submitWith(session.form, { Value: ' ' })).errors.Value).toContain('Enter a value');
  await session.form.fill('Value', 'nul \u0000');
  expect((await session.form.submit()).errors.Value).toContain('invisible character');
  expect(listSentBodies()).toEqual([]);
});

test('a value that is too long for the form stays as it is', async () => {
  const longValue = 'v'.repeat(3_500);
  const session = await openForm([createSource(longValue)]);
  expect(session.form.value('Value')).toBe('');
  await (await submitWith(session.form, { Description: 'New' })).view?.submit();
  expect(listSentBodies()).toEqual([{ Description: 'New', Source: { Source: longValue } }]);
});

test.each([
  ['Source', 'Value'],
  ['Description', 'Description'],
])('if the service refuses %s, the form shows the error, and keeps the input', async (name) => {
  const session = await openForm([createSource('https://a.example')]);
  running.service.on(
    'PUT /s1',
    json(422, { detail: [{ loc: ['body', name], msg: 'no <!here>', type: 'x' }] }),
  );
  const { view: review } = await submitWith(session.form, { Value: 'https://b.example' });
  const refusedForm = (await review?.submit())?.view;
  expect(refusedForm?.text()).toContain('no <!here>');
  expect(refusedForm?.value('Value')).toBe('https://b.example');
});

test.each([
  ['a 422', json(422, { detail: [{ loc: ['body', 'Source'], msg: 's3cr3t-0001 is no feed', type: 'x' }] })],
  ['a 409', json(409, { detail: { reason: 's3cr3t-0001 is no feed' } })],
])('messages mask the value of a source if the service’s refusal repeats it: %s', async (_, answer) => {
  const session = await openForm([createSource('https://a.example')]);
  running.service.on('PUT /s1', answer);
  await (await submitWith(session.form, { Value: 's3cr3t-0001' })).view?.submit();
  await session.ana.sees('•••••••• is no feed');
  await ask(session.ana, '/upnext outbox', 'Not sent.');
  expect(session.ana.messages().join()).not.toContain('s3cr3t');
});

test('the list opens the form for a source', async () => {
  const ana = await startWithSources([createSource('https://a.example?key=1')]);
  await ask(ana, '/upnext sources', 'Harbour Coffee: 1 source');
  expect(ana.read()).not.toContain('key=1');
  await ana.press('Edit');
  expect((await ana.modal('Update a source')).value('Value')).toBe('https://a.example?key=1');
});

test('the list has pages, and counts sources that can’t be read', async () => {
  const sources = Array.from({ length: 20 }, (_, index) => ({
    Id: `s${index}`,
    Description: `Feed ${index}`,
  }));
  const ana = await startWithSources([...sources, 7, {}]);
  await ask(ana, '/upnext sources', 'Harbour Coffee: 20 sources, 1 to 8');
  expect(ana.read()).toContain('2 more couldn’t be read.');
  await pressAndSee(ana, 'Next page', '9 to 16');
  await ask(ana, '/upnext sources nothing', 'I found no Harbour Coffee source with “nothing”.');
});

test('the list and the form say that there are no sources', async () => {
  const ana = await startWithSources([]);
  await ask(ana, '/upnext sources', 'Harbour Coffee has no sources yet.');
  await ana.type('/update-source');
  expect((await ana.modal('Update a source')).text()).toContain('Harbour Coffee has no sources.');
});

test.each([
  ['markup and control characters as', '<!channel> <@U1> *x* \u202e & <http://evil|good>'],
  ['huge', 'x'.repeat(40_000)],
  ['right-to-left and emoji', 'שלום 🎉 '.repeat(400)],
])('the list and the form show %s text', async (_kind, text) => {
  const sources = Array.from({ length: 20 }, (_, index) => ({
    ...createSource(text, text),
    Id: `s${index}`,
    Name: text,
  }));
  const ana = await startWithSources(sources);
  await ask(ana, '/upnext sources', '20 sources');
  await pressForForm(ana, 'Edit', 'Update a source');
});

test.each([
  [json(401, {}), 'refused my access token'],
  [data(7), 'I can’t read its sources'],
])('a failing service is reported in the form, with a button to try again', async (respond, expected) => {
  const ana = await startWithSources([createSource('https://a.example')]);
  running.service.on('GET /sources', respond);
  await ask(ana, '/update-source blog', expected);
  running.service.on('GET /sources', data([createSource('https://a.example')]));
  await (await ana.modal('Update a source')).press('Try again');
  await ana.sees('https://a.example');
});

test.each([
  ...'**** sk-****abcd •••••••• ••••1234 … sk-…f00d sk-...f00d [REDACTED] <hidden> redacted'.split(' '),
  ...'xxxx XXXX-XXXX https://user:xxxxx@host/feed ####'.split(' '),
])('%s looks like a mask', (value) => expect(looksMasked(value)).toBe(true));

test.each([
  'https://harbour-coffee.example/blog/feed.xml',
  'https://x.com/max',
  'a*b**c',
  'XXL',
  'redacted documents feed',
  'foo..bar',
  '#1 ## x',
  '',
])('%s does not look like a mask', (value) => expect(looksMasked(value)).toBe(false));

const createSourcesFrom = (from: number) =>
  data(
    Array.from({ length: 2_100 }, (_, index) => ({
      Id: `s${from + index}`,
      Name: `Blog ${from + index}`,
      Source: { Source: 'https://a.example' },
    })),
  );

test('a source that is no longer among the first 2,000 is not reported as missing', async () => {
  await startBot();
  running.service.on('GET /sources', createSourcesFrom(0));
  await ask(ana, '/upnext sources Blog 7', 'I can read only the first 2000 sources. There are more.');
  running.service.on('GET /sources', createSourcesFrom(5_000));
  const form = await pressForForm(ana, 'Edit', 'Update a source');
  expect(form.text()).toContain('I can’t read this source right now');
  expect(form.text()).not.toContain('no longer exists');
});

test('a search without results says that it only covers the first 2,000 sources', async () => {
  await startBot();
  running.service.on('GET /sources', createSourcesFrom(0));
  await ask(ana, '/upnext sources Blog 2050', 'I found no Harbour Coffee source with “Blog 2050”.');
  await ana.sees('I can read only the first 2000 sources. There are more.');
});
