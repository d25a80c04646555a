import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../../src/emulators/slack/start-workspace.ts';
import { clientFor, startTestWorkspace } from '../../../support/workspace.ts';

describe('mrkdwn, read as a person does', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    ({ workspace } = await startTestWorkspace());
  });
  afterAll(() => workspace.close());

  async function read(text: string): Promise<string | undefined> {
    await clientFor(workspace, workspace.botToken).chat.postMessage({ channel: 'C01GENERAL', text });
    return workspace.as('Ana').in('#general').messages().at(-1);
  }

  it.each([
    ['a code span of one character', 'Type `x`, then `/`.', 'Type x, then /.'],
    ['marks inside a code span', '`*a* _b_ <c>` and *d*', '*a* _b_ <c> and d'],
    ['marks inside a block of code', 'So:\n```\n*a*\n```\n_done_', 'So:\n*a*\ndone'],
    ['marks within marks', '*bold _both_* ~gone~', 'bold both gone'],
    ['what is no mark', '2*3, snake_case, *open, 12:30', '2*3, snake_case, *open, 12:30'],
    ['quoted lines', 'He said\n> *one*\n> two\nand left', 'He said\none\ntwo\nand left'],
    ['items', 'List:\n• one\n2. *two*', 'List:\n• one\n2. two'],
    ['emoji codes', ':warning: careful :no_such_thing:', ':warning: careful :no_such_thing:'],
    [
      'ids and links',
      '<@U02BENOKAF> <#C02HARBOUR> <!here> <https://x.example|a link> &lt;b&gt;',
      '@Ben Okafor #harbour-coffee @here a link <b>',
    ],
    ['several lines and an empty one', 'one\n\n*two*', 'one\n\ntwo'],
  ])('%s', async (_, text, visible) => {
    expect(await read(text)).toBe(visible);
  });
});
