import { afterAll, beforeAll, expect, test } from 'vitest';
import { findComposer, openPageFixture, type PageFixture } from './page-driver.ts';

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture();
});
afterAll(() => fixture.close());

test('a group direct message is in the sidebar by the names of its people', async () => {
  const ana = await fixture.open();
  const { client } = fixture.examples;
  const { channel } = await client.conversations.open({ users: 'U01ANAFERR,U02BENOKAF' });
  const id = channel?.id ?? '';
  const attachments = [
    { color: '#2eb67d', title: 'Build 7', title_link: 'https://example.com/7', text: 'Passed' },
  ];
  await client.chat.postMessage({ channel: id, text: 'For two', attachments });
  await ana.getByRole('button', { name: 'Ben Okafor, Upnext' }).click();
  await ana.getByText('For two').waitFor();
  expect(await ana.getByRole('link', { name: 'Build 7' }).getAttribute('href')).toBe('https://example.com/7');
  expect(await findComposer(ana).getAttribute('placeholder')).toContain('Ben Okafor, Upnext');
  expect(fixture.pageErrors).toEqual([]);
});
