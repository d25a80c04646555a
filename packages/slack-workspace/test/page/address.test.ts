import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { allowAddress } from '../../src/page/address.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

test('only websites, e-mail, telephone and Slack’s own addresses become links, besides pictures and own paths', () => {
  const allowed = [
    'https://example.com/a',
    'HTTP://example.com',
    'mailto:ana@example.com',
    'tel:+3512345',
    'slack://channel?team=T1&id=C1',
    'data:image/png;base64,AAAA',
    '/page/slack-file?id=F1',
  ];
  expect(allowed.map(allowAddress)).toEqual(allowed);
  const refused = [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'example.com',
    '',
    undefined,
  ];
  expect(refused.map(allowAddress)).toEqual(refused.map(() => undefined));
});

test('every address in the page’s source goes through this function', async () => {
  const folder = new URL('../../src/page/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const addresses: string[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const attributes = [...text.matchAll(/\b(?:href|src|srcset|poster|action|formaction)=\$\{\w*\(?/g)];
    addresses.push(...attributes.map(([attribute]) => attribute));
    // Buttons open only websites.
    const openings = [...text.matchAll(/^.*window\.open\(/gm)].map(([line]) => line.trim());
    expect(openings.filter((line) => line !== 'if (isWebUrl(url)) window.open(')).toEqual([]);
  }
  expect(addresses.length).toBeGreaterThan(4);
  expect(addresses.filter((attribute) => !attribute.endsWith('{allowAddress('))).toEqual([]);
});

test('the fields of an attachment make no link or picture of a script', async () => {
  const { client } = fixture.examples;
  const script = 'javascript:alert(1)';
  await client.chat.postMessage({
    channel: 'C01GENERAL',
    text: `<${script}|here>`,
    attachments: [
      {
        title: 'A title',
        title_link: script,
        image_url: script,
        fallback: 'A picture',
        text: `<${script}|a text>`,
      },
    ],
  });
  const page = await fixture.open();
  const message = page.getByRole('listitem').filter({ hasText: 'A title' }).last();
  await message.waitFor();
  const addresses = await message
    .locator('a, img')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('src')));
  expect(addresses.filter((address) => address?.includes('javascript'))).toEqual([]);
  expect(await message.getByRole('link', { name: 'A title' }).count()).toBe(0);
});
