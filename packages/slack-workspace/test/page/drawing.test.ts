import { readFile } from 'node:fs/promises';
import type { KnownBlock } from '@slack/types';
import { afterAll, expect, test } from 'vitest';
import { isRecord } from '../../src/json.ts';
import { EXAMPLES, placeObject } from '../rules/examples.ts';
import { makeEveryBlock } from './example-messages.ts';
import { openPageFixture } from './page-driver.ts';

const fixture = await openPageFixture();
const page = await fixture.open();
afterAll(fixture.close);

const PLACES = Object.keys(EXAMPLES)
  .filter((kind) => kind !== 'options_answer')
  .map((kind) => placeObject(kind, EXAMPLES[kind] ?? {}));

const createPlainText = (text: string) => ({ type: 'plain_text' as const, text });
const createCell = (text: string) => ({ type: 'raw_text', text });

async function sendBlocks(name: string, blocks: readonly object[]) {
  await fixture.examples.client.chat.postMessage({
    channel: 'C01GENERAL',
    text: name,
    blocks: [{ type: 'header', text: createPlainText(name) }, ...(blocks as KnownBlock[])],
  });
  const message = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await message.waitFor();
  return message;
}

/** Lists every `type: '…'` in a declaration file of @slack/types. */
async function readKnownTypes(file: string): Promise<string[]> {
  const folder = new URL('./block-kit/', import.meta.resolve('@slack/types'));
  const text = await readFile(new URL(`${file}.d.ts`, folder), 'utf8');
  return [...text.matchAll(/^\s+type: '([a-z_]+)';/gm)].map(([, type = '']) => type);
}

test('the workspace knows every block and composition object in @slack/types', async () => {
  const types = Object.values(EXAMPLES).map((example) => isRecord(example) && example.type);
  for (const file of ['blocks', 'composition-objects'])
    expect((await readKnownTypes(file)).filter((type) => !types.includes(type))).toEqual([]);
});

// modal.test.ts uses the elements of forms.
test('every kind of block and element is drawn', async () => {
  const blocks = PLACES.flatMap((place) => place.blocks ?? []).filter(
    // These examples name no file of the workspace, and a message has at most one table.
    (block) => !/slack_file|"(?:table|input)"/.test(JSON.stringify(block)),
  );
  await sendBlocks('First half', [...blocks.slice(0, 30), EXAMPLES.table ?? {}]);
  await sendBlocks('Second half', blocks.slice(30));
  const failed = page.locator('.not-rendered').filter({ hasNotText: /^Picture: / });
  expect(await failed.allInnerTexts()).toEqual([]);
});

test('a data table can be sorted and has pages', async () => {
  const readers = {
    Instagram: 1290,
    X: 87,
    LinkedIn: 402,
    TikTok: 2210,
    Facebook: 640,
    Mastodon: 75,
    Reddit: 311,
  };
  const rows = Object.entries(readers).map(([name, value]) => [
    createCell(name),
    { type: 'raw_number', value, text: String(value) },
  ]);
  const table = await sendBlocks('A table', [
    {
      type: 'data_table',
      caption: 'Readers by platform',
      page_size: 5,
      row_header_column_index: 0,
      rows: [[createCell('Platform'), createCell('Readers')], ...rows],
    },
  ]);
  const expectRowHeaders = (names: string[]) =>
    expect.poll(() => table.getByRole('rowheader').allInnerTexts()).toEqual(names);
  await expectRowHeaders(['Instagram', 'X', 'LinkedIn', 'TikTok', 'Facebook']);
  await table.getByRole('button', { name: 'Next' }).click();
  await expectRowHeaders(['Mastodon', 'Reddit']);
  await table.getByRole('button', { name: 'Readers' }).click();
  await table.getByRole('button', { name: 'Previous' }).click();
  await expectRowHeaders(['Mastodon', 'X', 'Reddit', 'LinkedIn', 'Facebook']);
  const column = table.getByRole('columnheader', { name: 'Readers' });
  await expect.poll(() => column.getAttribute('aria-sort')).toBe('ascending');
  await table.getByRole('button', { name: 'Readers' }).click();
  await expect.poll(() => column.getAttribute('aria-sort')).toBe('descending');
});

test('a container can be collapsed and expanded', async () => {
  const button = { type: 'button', action_id: 'all', text: createPlainText('See all') };
  const message = await sendBlocks('A container', [
    {
      type: 'container',
      title: createPlainText('Next week'),
      is_collapsible: true,
      child_blocks: [{ type: 'actions', elements: [button] }],
    },
  ]);
  const seeAllButton = message.getByRole('button', { name: 'See all' });
  await seeAllButton.waitFor();
  await message.getByText('Next week', { exact: true }).click();
  await seeAllButton.waitFor({ state: 'hidden' });
});

test('a feedback button stays pressed', async () => {
  const message = await sendBlocks('Feedback', [
    {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'feedback',
          positive_button: { text: createPlainText('Good'), value: 'good' },
          negative_button: { text: createPlainText('Bad'), value: 'bad' },
        },
      ],
    },
  ]);
  await message.getByRole('button', { name: 'Good' }).click();
  await expect.poll(() => fixture.examples.actions.map(({ value }) => value)).toEqual(['good']);
  await message.getByRole('button', { name: 'Good', pressed: true }).waitFor();
});

test('no text becomes HTML', async () => {
  const message = await sendBlocks('Markup', [
    { type: 'section', text: { type: 'mrkdwn', text: 'not <script>alert(1)</script> <b>bold</b>' } },
  ]);
  expect(await message.locator('script, b').count()).toBe(0);
  expect(await message.innerText()).toContain('<script>alert(1)</script>');
  expect(fixture.pageErrors.filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
});

test('all of a video’s picture can be pressed', async () => {
  const message = await sendBlocks(
    'A video',
    makeEveryBlock(`${fixture.examples.workspace.url}/page/icon.svg`).slice(-1),
  );
  const image = message.locator('.video-picture');
  // A picture that hasn't been loaded has no height.
  await expect
    .poll(() => image.evaluate(({ naturalHeight }: HTMLImageElement) => naturalHeight))
    .toBeGreaterThan(0);
  const picture = await image.boundingBox();
  // Not its position: the page may scroll between the two.
  expect(await message.getByRole('link', { name: 'Play Video' }).boundingBox()).toMatchObject({
    width: picture?.width,
    height: picture?.height,
  });
});
