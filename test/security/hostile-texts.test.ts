import { afterAll, beforeAll, expect, test } from 'vitest';
import { actions, button, context, option, plain, plainSection, section } from '../../src/slack/blocks.ts';
import { escapeText, sanitizeLine } from '../../src/slack/escape.ts';
import { buildQuotingMessage, disableParsing } from '../../src/slack/message.ts';
import { buildMessageView } from '../../src/slack/message-view.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { liveMarkup } from '../support/live-markup.ts';
import { luckOf } from '../support/luck.ts';
import { hostileTexts, sendHostile } from './hostile-texts.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('50,000 texts through everything that messages are built of: no mention, link or broadcast comes alive', () => {
  const text = hostileTexts(luckOf(20_261_120));
  for (let count = 0; count < 50_000; count += 1) {
    const said = text();
    const message = disableParsing({
      ...buildQuotingMessage(said, 'Type `/upnext help`.'),
      blocks: [
        plainSection(said),
        section(`*${escapeText(said)}* and _${escapeText(sanitizeLine(said))}_`),
        context(escapeText(said), plain(said)),
        actions(button(said, 'id', 'value'), {
          type: 'static_select',
          action_id: 'x',
          options: [option(said, 'x')],
        }),
      ],
    });
    const alive = liveMarkup([message, buildMessageView({ text: escapeText(said) })], { strangers: /EVIL/ });
    expect(alive, JSON.stringify(said)).toEqual([]);
  }
});

// A minute on a busy machine.
test('nor does any through the commands, lists, forms and errors of the whole app', {
  timeout: 120_000,
}, async () => {
  const { alive, texts, failed } = await sendHostile(database.db, { texts: 200, seed: 20_261_120, most: 1 });
  expect(alive).toEqual([]);
  expect(texts).toBeGreaterThan(100);
  expect(failed).toEqual([]);
});
