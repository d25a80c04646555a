import { expect, test } from 'vitest';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

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
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext sources Blog 7');
  await ana.sees('I can read only the first 2000 sources. There are more.');
  running.service.on('GET /sources', createSourcesFrom(5_000));
  await ana.press('Edit');
  const form = await ana.modal('Update a source');
  expect(form.text()).toContain('I can’t read this source right now');
  expect(form.text()).not.toContain('no longer exists');
});

test('a search without results says that it only covers the first 2,000 sources', async () => {
  await startBot();
  running.service.on('GET /sources', createSourcesFrom(0));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext sources Blog 2050');
  await ana.sees('I found no Harbour Coffee source with “Blog 2050”.');
  await ana.sees('I can read only the first 2000 sources. There are more.');
});
