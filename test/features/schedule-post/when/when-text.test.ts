import { expect, test } from 'vitest';
import { postForm } from '../../../../src/features/schedule-post/post-form.ts';
import { readWhen } from '../../../../src/features/schedule-post/when/read-when.ts';
import { chooseMoment } from '../../../../src/features/schedule-post/when/when-field.ts';
import {
  EXAMPLES_OF_SEVERAL,
  renderWhenLine,
} from '../../../../src/features/schedule-post/when/when-text.ts';
import { applyChange } from '../../../../src/forms/current-form.ts';
import { understandMoments } from '../../../../src/when/when.ts';

const now = new Date('2026-11-20T12:00:00Z');
const zone = 'Europe/Lisbon';
type State = Parameters<typeof chooseMoment>[1];

function written(when: string): State {
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
const line = (state: State) => renderWhenLine(readWhen(state), now, zone);

test('what was read otherwise is said with the question, and after the press that answers it', () => {
  const state = written('tuseday 5');
  expect(line(state)).toContain('Tue 24 Nov, 17:00 (Lisbon) or Tue 24 Nov, 05:00 (Lisbon)');
  expect(line(state)).toContain('“tuseday” was read as “Tuesday”.');
  const pressed = chooseMoment(`${Date.parse('2026-11-24T17:00:00Z')} ${zone}`, state);
  const after = applyChange(postForm, state, pressed).state;
  expect(line(after)).toBe(':calendar: *Tue 24 Nov, 17:00 (Lisbon)*  “tuseday” was read as “Tuesday”.');
});

test('as many moments are named as there are buttons', () => {
  expect(line(written('03/04 at 9')).match(/\(Lisbon\)/g)).toHaveLength(4);
});

test('of several the one that is not understood is named, with three lists that are', () => {
  expect(line(written('mon 9am, blah'))).toBe(
    ':warning: “blah”: Not every word was understood. Try "mon, wed and fri 9am", "tomorrow 9am and 3pm", "1 Dec at noon and 15 Dec 8:30".',
  );
  for (const text of EXAMPLES_OF_SEVERAL) {
    expect(understandMoments({ text, now, zone }).kind, text).toBe('understood');
  }
});
