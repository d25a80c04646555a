import { expect, test } from 'vitest';
import { POST_FIELDS } from '../../../src/api/post-fields.ts';
import { readPost } from '../../../src/api/posts.ts';
import { formatPostCsv } from '../../../src/features/list-posts/export-csv.ts';
import { openFilledForm, showMedia, showMoreOptions } from '../../support/filled-form.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressForForm } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

const typed = POST_FIELDS.map((field) => ({
  ...field,
  value: field.isId ? field.name : `https://example.com/${field.name}`,
}));
const [atService, ownValues] = [
  typed.filter(({ api }) => api !== undefined),
  typed.flatMap(({ api, value }) => (api === undefined ? [value] : [])),
];

test('every text field of a post goes from the form to the card and the duplicate, and to the service if that has it', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running);
  await showMoreOptions(ana, form);
  await showMedia(ana, form);
  for (const { label, value, isId } of typed) {
    await ana.sees(label);
    await (isId ? form.choose(label, value) : form.fill(label, value));
  }
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await form.submit()).closed).toBe(true);
  const [request = {}] = running.service.created();
  expect(request).toMatchObject(Object.fromEntries(atService.map(({ api, value }) => [api, value])));
  for (const value of ownValues) expect(JSON.stringify(request)).not.toContain(value);

  running.service.on('GET /posts', data([{ ...request, Id: 'made' }]));
  await ask(ana, '/upnext posts scheduled', '1 scheduled post');
  const view = await pressForForm(ana, 'Open: https://example.com/content', 'Post');
  const post = readPost(request);
  const csv = formatPostCsv({ id: 'p1', name: 'Harbour Coffee' }, post ? [{ post }] : [], {
    names: new Map(),
    zone: 'UTC',
    now: new Date(),
  });
  const texts = typed.filter(({ isId }) => !isId).map(({ value }) => value);
  for (const value of texts) expect(view.text()).toContain(value);
  for (const value of texts.filter((text) => !ownValues.includes(text))) expect(csv).toContain(value);
  await view.press('Duplicate');
  const copy = await ana.modal('Schedule a post');
  expect(typed.map(({ label }) => copy.value(label))).toEqual(typed.map(({ value }) => value));
});
