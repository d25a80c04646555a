import { expect, it } from 'vitest';
import { openWorkspace } from './support/fixtures.ts';

const { workspace, client } = await openWorkspace();

const makeText = (content: string) => ({ type: 'text', text: content });

it.each([
  ['fish & <chips>', 'fish &amp; &lt;chips&gt;', [makeText('fish & <chips>')]],
  [
    'see https://example.com/a?b=1&c=2, please',
    'see <https://example.com/a?b=1&amp;c=2>, please',
    [makeText('see '), { type: 'link', url: 'https://example.com/a?b=1&c=2' }, makeText(', please')],
  ],
  [
    '@ben and @nobody, look into #random',
    '<@U02BENOKAF> and @nobody, look into <#C04RANDOM0|random>',
    [
      { type: 'user', user_id: 'U02BENOKAF' },
      makeText(' and @nobody, look into '),
      { type: 'channel', channel_id: 'C04RANDOM0' },
    ],
  ],
  [
    'thanks (@ben), @tom. It is in (#random).',
    'thanks (<@U02BENOKAF>), <@U04TOMSATO>. It is in (<#C04RANDOM0|random>).',
    [
      makeText('thanks ('),
      { type: 'user', user_id: 'U02BENOKAF' },
      makeText('), '),
      { type: 'user', user_id: 'U04TOMSATO' },
      makeText('. It is in ('),
      { type: 'channel', channel_id: 'C04RANDOM0' },
      makeText(').'),
    ],
  ],
])('the text that a person types is stored with Slack’s markup: %s', async (typed, stored, elements) => {
  await workspace.as('Ana').in('#general').type(typed);
  const { messages } = await client.conversations.history({ channel: 'C01GENERAL', limit: 1 });
  expect(messages).toEqual([
    expect.objectContaining({
      text: stored,
      client_msg_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      blocks: [
        {
          type: 'rich_text',
          block_id: expect.any(String),
          elements: [{ type: 'rich_text_section', elements }],
        },
      ],
    }),
  ]);
});
