import { expect, test } from 'vitest';
import { LIMITS } from '../../src/slack/limits.ts';
import type { Message } from '../../src/slack/message.ts';
import { renderSubmission } from '../../src/submissions/text/render-submission.ts';
import { renderFormMessage, renderReceipt } from '../../src/submissions/text/state-blocks.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

/** A message has room for fewer submissions than a form can have. */

const words = setUpWords();

/** Renders submissions of which the service has refused the first ones. */
async function renderWords(count: number, refusedCount: number) {
  const kind = words.service.kind();
  const { context } = words.createStopped(kind);
  const texts = Array.from({ length: count }, (_, index) => `word ${index}`);
  await words.submit(context, kind, ...texts.map((text) => createWordSubmission(text)));
  const rows = await words.readRows();
  return rows.map((row, index) => ({
    ...renderSubmission(context, index < refusedCount ? { ...row, state: 'refused' } : row),
  }));
}

/** Reads how many submissions the message shows, and its last line. */
function readMessage({ blocks = [] }: Message) {
  expect(blocks.length).toBeLessThanOrEqual(LIMITS.messageBlocks);
  const shownCount = blocks.filter(({ type }) => type === 'section').length;
  return { shownCount, lastBlock: JSON.stringify(blocks.at(-1)) };
}

test.each([
  [30, 1, '…and 6 more.'],
  [20, 20, '…and 4 more, in `/upnext outbox`.'],
  [20, 17, '…and 4 more, 1 of them in `/upnext outbox`.'],
])(
  'a message about %i submissions, of which %i were refused, shows whole ones, and where the others are',
  async (count, refusedCount, expected) => {
    const { shownCount, lastBlock } = readMessage(renderFormMessage(await renderWords(count, refusedCount)));
    expect(lastBlock).toContain(expected);
    expect(expected).toContain(`${count - shownCount} more`);
  },
);

test('a receipt has room for a note', async () => {
  const submissions = await renderWords(25, 0);
  const { blocks = [] } = renderReceipt(submissions, { note: 'Shared with #general.' });
  readMessage({ text: '', blocks });
  expect(JSON.stringify(blocks.at(-2))).toContain('…and 1 more.');
  expect(JSON.stringify(blocks.at(-1))).toContain('Shared with #general.');
});
