import { expect, test } from 'vitest';
import {
  actions,
  button,
  context,
  escapeText,
  option,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../../src/slack/blocks.ts';
import { buildQuotingMessage, disableParsing } from '../../src/slack/message.ts';
import { buildMessageView } from '../../src/slack/message-view.ts';
import { createHostileTexts } from '../explorer/hostile-texts.ts';
import { findLiveMarkup } from '../support/live-markup.ts';
import { createRandom } from '../support/random.ts';

test('none of 50,000 hostile texts in any part of a message becomes a mention, link or broadcast', () => {
  const nextText = createHostileTexts(createRandom(20_261_120));
  for (let count = 0; count < 50_000; count += 1) {
    const text = nextText();
    const message = disableParsing({
      ...buildQuotingMessage(text, 'Type `/upnext help`.'),
      blocks: [
        plainSection(text),
        section(`*${escapeText(text)}* and _${escapeText(sanitizeLine(text))}_`),
        context(escapeText(text), plain(text)),
        actions(button(text, 'id', 'value'), {
          type: 'static_select',
          action_id: 'x',
          options: [option(text, 'x')],
        }),
      ],
    });
    const faults = findLiveMarkup([message, buildMessageView({ text: escapeText(text) })], {
      testOnlyIds: /EVIL/,
    });
    expect(faults, JSON.stringify(text)).toEqual([]);
  }
});
