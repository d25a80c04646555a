import { expect, test } from 'vitest';
import { postForm } from '../../../../src/features/schedule-post/post-form.ts';
import { readWhen } from '../../../../src/features/schedule-post/when/read-when.ts';
import { chooseMoment } from '../../../../src/features/schedule-post/when/when-field.ts';
import {
  renderWhenLine,
  SEVERAL_MOMENTS_EXAMPLES,
} from '../../../../src/features/schedule-post/when/when-text.ts';
import { applyChange } from '../../../../src/forms/current-form.ts';
import { understandMoments } from '../../../../src/when/when.ts';

const now = new Date('2026-11-20T12:00:00Z');
const zone = 'Europe/Lisbon';
type State = Parameters<typeof chooseMoment>[1];

function createState(when: string): State {
  return {
    values: {
      project: undefined,
      text: 'Hello',
      platforms: ['X'],
      status: 'SCHEDULED',
      when,
      zone: { zone },
      media: '',
      template: undefined,
      prompt: undefined,
    },
    formContext: { projects: [], hasMore: false, actorZone: zone, zones: { byProject: {} } },
    now,
  };
}
const renderLine = (state: State) => renderWhenLine(readWhen(state), now, zone);

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

test('an invalid time in a list is quoted, with three valid examples', () => {
  expect(renderLine(createState('mon 9am, blah'))).toBe(
    ':warning: *“blah”: I didn’t understand every word.* Try “mon, wed and fri 9am”, “tomorrow 9am and 3pm” or “1 Dec at noon and 15 Dec 8:30”.',
  );
  for (const text of SEVERAL_MOMENTS_EXAMPLES) {
    expect(understandMoments({ text, now, zone }).kind, text).toBe('understood');
  }
});

test.each([
  'every monday 9am',
  'weekdays 9am',
  'every other friday at noon',
  '1st of every month 9am',
  'every tuesday 10 times',
  'every hour',
])('%s isn’t supported yet', (text) => {
  expect(renderLine(createState(text))).toBe(
    ':warning: *Repeating posts aren’t supported yet.* Pick one date.',
  );
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
