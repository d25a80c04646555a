import { expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { createSealedState } from '../../src/app/app.ts';
import { encodeButtonState } from '../../src/slack/interaction-values.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const state = createSealedState(createEncryption([{ id: 'key-of-november', key: Buffer.alloc(32, 1) }]));
const ana = { workspace: 'T1', user: 'U1' };
const listState = encodeButtonState({ project: 'p1', words: 'scheduled', page: 2 }) ?? '';

test('the state in a button is encrypted, and can be read for the person to whom the button was shown', () => {
  const buttonValue = state.seal(listState, ana, NOW);
  const bytes = Buffer.from(buttonValue.split(':').at(-1) ?? '', 'base64').toString('latin1');
  expect(`${buttonValue} ${bytes}`).not.toMatch(/"p1"|scheduled|page"/);
  expect(state.open(buttonValue, ana, new Date(NOW.getTime() + WEEK_MS))).toBe(listState);
});

test.each([
  ['another person', { ...ana, user: 'U2' }, NOW],
  ['another workspace', { ...ana, workspace: 'T2' }, NOW],
  ['anybody a week later', ana, new Date(NOW.getTime() + WEEK_MS + 1)],
])('the state in a button is invalid for %s', (_name, actor, now) => {
  expect(state.open(state.seal(listState, ana, NOW), actor, now)).toBeUndefined();
});

test.each([listState, '{"page":3}', 'v1:key-of-november:AAAA', 'v1:another:AAAA'])(
  'a forged button state is ignored: %s',
  (value) => {
    expect(state.open(value, ana, NOW)).toBeUndefined();
  },
);

test('ids of rows in buttons are not encrypted', () => {
  const id = 'f3a1c0de-0000-4000-8000-000000000000';
  expect(state.seal(id, ana, NOW)).toBe(id);
  expect(state.open(id, ana, NOW)).toBe(id);
});

test('the longest state fits a button when it is encrypted, and a longer state gets no button', () => {
  const longText = '🧑‍🔧"'.repeat(1_000);
  for (let length = 1; length <= longText.length; length += 7) {
    const value = encodeButtonState({ words: longText.slice(0, length) });
    if (value !== undefined) expect(state.seal(value, ana, NOW).length).toBeLessThanOrEqual(2_000);
  }
  expect(encodeButtonState({ words: longText })).toBeUndefined();
});
