import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../support/fixtures.ts';
import { createSlackClient } from '../support/workspace.ts';

const { workspace } = await openWorkspace();

describe('the visible text of mrkdwn', () => {
  async function sendAndRead(text: string): Promise<string | undefined> {
    await createSlackClient(workspace, workspace.botToken).chat.postMessage({ channel: 'C01GENERAL', text });
    return workspace.as('Ana').in('#general').messages().at(-1);
  }

  it.each([
    ['a code span of one character', 'Type `x`, then `/`.', 'Type x, then /.'],
    ['markup inside a code span', '`*a* _b_ <c>` and *d*', '*a* _b_ <c> and d'],
    ['markup inside a code block', 'So:\n```\n*a*\n```\n_done_', 'So:\n*a*\ndone'],
    ['nested markup', '*bold _both_* ~gone~', 'bold both gone'],
    ['characters that are not markup', '2*3, snake_case, *open, 12:30', '2*3, snake_case, *open, 12:30'],
    ['quoted lines', 'He said\n> *one*\n> two\nand left', 'He said\none\ntwo\nand left'],
    ['list items', 'List:\n• one\n2. *two*', 'List:\n• one\n2. two'],
    ['emoji codes', ':warning: careful :no_such_thing:', ':warning: careful :no_such_thing:'],
    [
      'ids and links',
      '<@U02BENOKAF> <#C02HARBOUR> <!here> <https://x.example|a link> &lt;b&gt;',
      '@Ben Okafor #harbour-coffee @here a link <b>',
    ],
    ['several lines with an empty line', 'one\n\n*two*', 'one\n\ntwo'],
  ])('is plain for %s', async (_, text, visible) => {
    expect(await sendAndRead(text)).toBe(visible);
  });
});
