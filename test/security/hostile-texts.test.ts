import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { findLiveMarkup } from '../support/live-markup.ts';
import { createRandom } from '../support/random.ts';
import { createHostileTexts, sendHostile } from './hostile-texts.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

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

// Takes up to a minute on a busy machine.
test('no hostile text in commands, lists, forms and errors of the app becomes a mention, link or broadcast', {
  timeout: 120_000,
}, async () => {
  const { markup, texts, failed } = await sendHostile(database.db, {
    texts: 200,
    seed: 20_261_120,
    maxRounds: 1,
  });
  expect(markup).toEqual([]);
  expect(texts).toBeGreaterThan(100);
  expect(failed).toEqual([]);
});
