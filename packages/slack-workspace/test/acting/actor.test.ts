import { describe, expect, it } from 'vitest';
import { createHeader, createPlainText } from '../support/blocks.ts';
import { openBolt } from '../support/fixtures.ts';

const createMrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });

const fixture = await openBolt();
const states: unknown[] = [];
fixture.app.action('go', async ({ ack, body }) => {
  await ack();
  if (body.type === 'block_actions') states.push(Object.values(body.state?.values ?? {})[0]);
});
fixture.app.action('colour', async ({ ack, action }) => {
  await ack();
  states.push(action);
});
await fixture.app.client.chat.postMessage({
  channel: 'C01GENERAL',
  text: 'A card',
  blocks: [
    createHeader('Next post'),
    {
      type: 'section',
      text: createMrkdwn(
        'By <@U02BENOKAF> in <#C02HARBOUR>: *bold*, 2*3, `code`, <https://x.example|a link> &amp; more',
      ),
    },
    { type: 'context', elements: [createMrkdwn('<!date^1796108400^{date_num} {time}|some day>')] },
    {
      type: 'actions',
      elements: [
        {
          type: 'static_select',
          action_id: 'colour',
          placeholder: createPlainText('Colour'),
          options: ['Red', 'Green'].map((text) => ({
            text: createPlainText(text),
            value: text.toLowerCase(),
          })),
        },
        { type: 'button', action_id: 'go', text: createPlainText('Go') },
      ],
    },
  ],
});

describe('a simulated person', () => {
  it('a simulated person reads names instead of ids, text without markup, and dates in their own time zone', () => {
    const lines = [
      'Next post',
      'By @Ben Okafor in #harbour-coffee: bold, 2*3, code, a link & more',
      '2026-12-01 7:00',
      '(Colour) [Go]',
    ];
    expect(fixture.workspace.as('Ana').in('#general').messages().at(-1)).toBe(lines.join('\n'));
    expect(fixture.workspace.as('Ben').in('#general').read()).toContain('2026-12-01 2:00');
  });

  it('a choice in a message reaches the app at once, and again with the next button press', async () => {
    const ana = fixture.workspace.as('Ana').in('#general');
    await ana.choose('Colour', 'Green');
    await ana.press('Go');
    const chosenOption = { text: createPlainText('Green'), value: 'green' };
    expect(states).toMatchObject([
      { type: 'static_select', selected_option: chosenOption },
      { colour: { type: 'static_select', selected_option: chosenOption } },
    ]);
  });

  it('the error for a missing option, channel, person or shortcut names what is missing', async () => {
    const ana = fixture.workspace.as('Ana').in('#general');
    await expect(ana.choose('Colour', 'Blue')).rejects.toThrow('Offered: Red, Green');
    expect(() => ana.in('#nowhere')).toThrow('There is no channel #nowhere');
    expect(() => fixture.workspace.as('Zoe')).toThrow('Nobody in this workspace is called Zoe');
    await expect(ana.shortcut('Sing')).rejects.toThrow('The app has no shortcut “Sing”');
  });

  it('a person goes only to channels that they see', () => {
    const { workspace } = fixture;
    workspace.admin.addChannel('#secret', { private: true, members: ['Ben'] });
    expect(() => workspace.as('Ana').in('#secret')).toThrow("Ana Ferreira doesn't see #secret");
    expect(workspace.as('Ben').in('#secret').messages()).toEqual([]);
  });

  it('a simulated person waits for a form, and the error then shows what was visible', async () => {
    const ana = fixture.workspace.as('Ana').in('#general');
    await expect(ana.modal('Nothing', { timeoutMs: 100 })).rejects.toThrow(
      /Waited 0.1 s for a modal “Nothing”[\s\S]*Next post/,
    );
  });
});

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
])('the visible text of mrkdwn is plain for %s', async (_, text, visible) => {
  await fixture.app.client.chat.postMessage({ channel: 'C01GENERAL', text });
  expect(fixture.workspace.as('Ana').in('#general').messages().at(-1)).toBe(visible);
});
