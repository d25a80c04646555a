import { expect, test } from 'vitest';
import { postForm } from '../../../../src/features/schedule-post/post-form.ts';
import { readWhen } from '../../../../src/features/schedule-post/when/read-when.ts';
import {
  chooseMoment,
  encodeChoice,
  renderWhenBlocks,
} from '../../../../src/features/schedule-post/when/when-field.ts';
import {
  renderWhenLine,
  SEVERAL_MOMENTS_EXAMPLES,
} from '../../../../src/features/schedule-post/when/when-text.ts';
import { applyChange } from '../../../../src/forms/current-form.ts';
import { understandMoments } from '../../../../src/when/when.ts';
import { createPostValues } from '../../../support/post-values.ts';

const now = new Date('2026-11-20T12:00:00Z');
const zone = 'Europe/Lisbon';
type State = Parameters<typeof chooseMoment>[1];

function createState(when: string): State {
  return {
    values: createPostValues({ when, zone: { zone } }),
    formContext: { projects: [], hasMore: false, actorZone: zone, zones: { byProject: {} } },
    now,
  };
}
const renderLine = (state: State) => renderWhenLine(readWhen(state), state);

test('a corrected typo is shown with the question, and after the author has answered the question', () => {
  const state = createState('tuseday 6');
  expect(renderLine(state)).toBe(
    ':warning: *Which time did you mean?* Times are in Lisbon. “tuseday” was read as “Tuesday”.',
  );
  const changes = chooseMoment(`${Date.parse('2026-11-24T18:00:00Z')} ${zone}`, state);
  const nextState = applyChange(postForm, state, changes).state;
  expect(renderLine(nextState)).toBe(
    ':calendar: *Tue 24 Nov, 18:00 (Lisbon)*  “tuseday” was read as “Tuesday”.',
  );
});

test('a time that the clocks skip isn’t said to be moved while the form asks about it', () => {
  expect(renderLine(createState('28 Mar 2027 1:30am'))).toBe(
    ':warning: *This time doesn’t exist because the clocks go forward.* Did you mean Sun 28 Mar 2027, 02:30?',
  );
});

test('an invalid time in a list is quoted, with three valid examples', () => {
  expect(renderLine(createState('mon 9am, blah'))).toBe(
    ':warning: *“blah”: I didn’t understand every word.* Try “mon, wed and fri 9am”, “tomorrow 9am and 3pm” or “1 Dec at noon and 15 Dec 8:30”.',
  );
  for (const text of SEVERAL_MOMENTS_EXAMPLES) {
    expect(understandMoments({ text, now, zone }).kind, text).toBe('understood');
  }
});

test('a German author reads dates in German, and a chosen time is one that the field understands', () => {
  const state = createState('dienstag um 6');
  const germanState = { ...state, formContext: { ...state.formContext, actorLocale: 'de-DE' } };
  const buttons = JSON.stringify(renderWhenBlocks(germanState));
  expect(buttons).toContain('"Di., 24. Nov., 06:00"');
  expect(buttons).toContain('"Di., 24. Nov., 18:00"');
  const changes = chooseMoment(`${Date.parse('2026-11-24T08:00:00Z')} ${zone}`, germanState);
  const nextState = applyChange(postForm, germanState, changes).state;
  expect(nextState.values.when).toBe('Di., 24. Nov., 08:00 (Lisbon)');
  expect(renderLine(nextState)).toBe(':calendar: *Di., 24. Nov., 08:00 (Lisbon)*');
  const { shownMoments: _shownMoments, ...formContext } = nextState.formContext;
  expect(renderLine({ ...nextState, formContext })).toBe(renderLine(nextState));
});

test.each([
  ['heute 09:00', 'Fr., 20. Nov., 09:00 (Lisbon) has passed.* Did you mean Sa., 21. Nov., 09:00?'],
  ['28 März 2027 01:30', 'Did you mean So., 28. März 2027, 02:30?'],
  ['Montag 9 Uhr, heute 09:00', 'Fr., 20. Nov., 09:00 (Lisbon) has passed.'],
  ['Montag 9 Uhr und Mittwoch 9 Uhr', '• *Mi., 25. Nov., 09:00 (Lisbon)*'],
])('for a German author, the line below “%s” has dates in German', (when, line) => {
  const state = createState(when);
  const formContext = { ...state.formContext, actorLocale: 'de_DE' };
  expect(renderLine({ ...state, formContext })).toContain(line);
});

test('a rule is shown with its next dates, and what becomes of special ones', () => {
  expect(renderLine(createState('every month on the 31st at 9am')).split('\n')).toEqual([
    ':repeat: *the 31st of every month at 09:00 (Lisbon)*',
    '• Thu 31 Dec, 09:00 (Lisbon)',
    '• Sun 31 Jan 2027, 09:00 (Lisbon)',
    '• Wed 31 Mar 2027, 09:00 (Lisbon)',
    '• Mon 31 May 2027, 09:00 (Lisbon)',
    '• Sat 31 Jul 2027, 09:00 (Lisbon)',
    'Months without a 31st are skipped. For the end of every month, type “last day of every month”. It keeps its time on the clock when the clocks change, next on Sun 28 Mar 2027. For several texts in turn, put a line with --- between them.',
  ]);
});

test('a post can’t repeat every hour', () => {
  expect(renderLine(createState('every hour'))).toBe(
    ':warning: *Posts can’t repeat that often.* Try “every weekday at 9” or “first tuesday of every month 10:00”.',
  );
});

test('a chosen rule keeps the zone that the text named', () => {
  const state = createState('every second tuesday 9am in Tokyo');
  const reading = readWhen(state);
  if (reading?.kind !== 'which-series') throw new Error(`the reading is ${reading?.kind}`);
  const [first] = reading.recurrences;
  if (!first) throw new Error('there is no rule');
  const chosen = applyChange(postForm, state, chooseMoment(encodeChoice(first), state)).state;
  expect(readWhen(chosen)).toMatchObject({
    kind: 'series',
    recurrence: { interval: 2, zone: 'Asia/Tokyo', start: '2026-11-24' },
  });
});

test.each(['M/W/F 9am', 'mon, wed and fri 9am', 'every day until wednesday at 9am'])(
  '%s is a list',
  (text) => {
    expect(readWhen(createState(text))).toMatchObject({
      kind: 'several',
      momentsReading: { kind: 'understood' },
    });
  },
);
