import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEmoji } from 'slack-workspace-emulator/test-support/emoji';
import { describe, expect, test } from 'vitest';
import { renderPlatformNames } from '../../src/posts/platforms.ts';
import {
  actions,
  buildTextSections,
  button,
  clipEscaped,
  context,
  escapeFormatting,
  escapeText,
  option,
  plain,
  plainSection,
  sanitizeLine,
  section,
  toOptions,
  unescapeText,
} from '../../src/slack/blocks.ts';
import { buildQuotingMessage, disableParsing } from '../../src/slack/message.ts';
import { buildMessageView } from '../../src/slack/message-view.ts';
import { renderServiceFailure } from '../../src/slack/service-failure.ts';
import { clip } from '../../src/words.ts';
import { createHostileTexts } from '../explorer/hostile-texts.ts';
import { measureCpuMs } from '../support/cpu-ms.ts';
import { findLiveMarkup } from '../support/live-markup.ts';
import { createRandom } from '../support/random.ts';

describe('clip', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly te', 10, 'exactly te'],
    ['a bit longer', 10, 'a bit lon…'],
    ['abc🧑‍🔧def', 7, 'abc…'],
    ['🧑‍🔧🧑‍🔧', 6, '🧑‍🔧…'],
    ['e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
    ['', 5, ''],
  ])('the text %j with at most %d characters is %j', (text, limit, expected) => {
    expect(clip(text, limit)).toBe(expected);
  });

  test('a text far beyond the limit is shortened quickly', () => {
    const longText = 'é'.repeat(10_000_000);
    expect(measureCpuMs(() => clip(longText, 75))).toBeLessThan(500);
    expect(clip(longText, 75)).toHaveLength(75);
  });
});

test('escaped text has no live mention, link or broadcast, and unescapes to the original', () => {
  const text = '<!channel> <@U1> <http://evil|good> &lt;b&gt; &amp;';
  expect(escapeText(text)).not.toMatch(/[<>]/);
  expect(unescapeText(escapeText(text))).toBe(text);
});

test('formatting in an excerpt is escaped, but not in addresses, which Slack links', () => {
  const address = 'https://a.example/~ana/_x_/*y*/z';
  expect(escapeFormatting(`_Media_: ${address}?a=1&b=2* and *bold* :tada:`)).toBe(
    `ˍMediaˍ: ${address}?a=1&amp;b=2∗ and ∗bold∗ ∶tada:`,
  );
});

const DIRECTION_CODES = [
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];
test.each(DIRECTION_CODES.map((code) => code.toString(16)))(
  'U+%s cannot change the direction of text',
  (code) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    const name = `Harbour ${character}Coffee שלום 🧑‍🔧`;
    expect(escapeText(name)).toBe('Harbour Coffee שלום 🧑‍🔧');
    expect(option(name, 'p1').text.text).toBe('Harbour Coffee שלום 🧑‍🔧');
    expect(button(name, 'press').text.text).toBe('Harbour Coffee שלום 🧑‍🔧');
    expect(context(plain(name)).elements).toEqual([plain('Harbour Coffee שלום 🧑‍🔧')]);
    expect(renderPlatformNames(['X', `MAST${character}ODON`])).toBe('X and MASTODON');
  },
);

test('sanitized text has one line and no invisible characters', () => {
  expect(sanitizeLine('a\u0000b\nc\u202ed\u200be\ud800')).toBe('a b cde\ufffd');
});

test('sanitized text keeps emoji that are joined from several', () => {
  const emoji = '👩‍👩‍👧‍👦 🤷🏽‍♀️ 🏳️‍🌈 🧑‍🔧';
  expect(sanitizeLine(emoji)).toBe(emoji);
  expect(sanitizeLine('a\u200db 🧑\u200d and \u200d🔧')).toBe('ab 🧑 and 🔧');
});

test('sanitized text keeps the invisible letters of a flag, and no others', () => {
  const letters = '\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}';
  const flag = `\u{1F3F4}${letters}\u{E007F}`;
  expect(sanitizeLine(`${flag} Coffee`)).toBe(`${flag} Coffee`);
  expect(sanitizeLine(`a${letters}\u{E007F} \u{1F3F4}${letters} ${flag}${letters}`)).toBe(
    `a \u{1F3F4} ${flag}`,
  );
  expect(sanitizeLine(`\u{1F3F4}${letters.repeat(8_000)}\u{E007F}`)).toBe('\u{1F3F4}');
});

test('records of the same name show their ids in a menu', () => {
  const records = [
    { id: 'p1', name: 'Harbour Coffee' },
    { id: 'p2', name: 'Twin' },
    { id: 'p3', name: 'Twin' },
  ];
  expect(toOptions(records).map(({ text, description }) => [text.text, description?.text])).toEqual([
    ['Harbour Coffee', undefined],
    ['Twin', 'ID p2'],
    ['Twin', 'ID p3'],
  ]);
});

test('records whose names look the same in a menu show their ids', () => {
  const long = 'Harbour Coffee, the roastery and its shops in the old town and the new one of';
  const records = [`${long} Porto`, `\u202e${long} Lisbon`, 'Tea', 'T\u200bea', 'T\u034fea', 'Teas'];
  const options = toOptions(records.map((name, index) => ({ id: `p${index}`, name })));
  expect(options.map(({ description }) => description?.text)).toEqual([
    ...['ID p0', 'ID p1', 'ID p2', 'ID p3', 'ID p4', undefined],
  ]);
});

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

test('a shortened escaped text never ends inside an entity', () => {
  for (const text of ['&'.repeat(20), '<&>'.repeat(10), `a${'>'.repeat(20)}`]) {
    for (let limit = 6; limit < 40; limit += 1) {
      const clipped = clipEscaped(escapeText(text), limit);
      expect(clipped.length).toBeLessThanOrEqual(limit);
      expect(clipped.replace(/&(?:amp|lt|gt);/g, ''), clipped).not.toContain('&');
    }
  }
});

const root = join(import.meta.dirname, '..', '..');

/** Words between colons in comments, addresses and patterns that aren't emoji. */
const NOT_EMOJI = ['emoji', 'vector', 'mailto', 'codes', 'ffff', 'ce', 'mm'];

test('every emoji code that the bot uses is displayed as an emoji on the page of the practice workspace', () => {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const usedCodes = texts.flatMap((text) =>
    [...text.matchAll(/:([a-z][a-z_]+):/g)].map(([, name]) => name ?? ''),
  );
  expect(usedCodes).toContain('warning');
  expect(usedCodes.filter((name) => findEmoji(name) === undefined && !NOT_EMOJI.includes(name))).toEqual([]);
});

test('a long text has a section for each part that isn’t blank, and says what it leaves out', () => {
  const list = (text: string) =>
    buildTextSections(text, 3).map((block) => (block.type === 'section' ? block.text?.text.length : block));
  expect(list(`${'a'.repeat(3_000)}${' '.repeat(3_000)}b`)).toEqual([3_000, 1]);
  expect(list(' \n')).toEqual([]);
  expect(list('a'.repeat(9_005))).toEqual([
    ...[3_000, 3_000, 3_000],
    context('…and 5 more characters. See the whole text in the service.'),
  ]);
});

test.each([
  [undefined, ''],
  [400, ' It names 1 second.'],
  [90_000, ' It names 1 minute 30 seconds.'],
  [130_000, ' It names 3 minutes.'],
  [5_400_000, ' It names 1 hour 30 minutes.'],
])('the wait of %s ms that the service asks for is told as “%s”', (retryAfterMs, told) => {
  const failure = {
    kind: 'not-applied',
    cause: 'rate-limited',
    ...(retryAfterMs && { retryAfterMs }),
  } as const;
  expect(renderServiceFailure(failure)).toBe(`The scheduling service asks me to wait.${told}`);
});
