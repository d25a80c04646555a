import { describe, expect, test } from 'vitest';
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
import { expectParts } from '../../../support/form-steps.ts';
import { createPostValues } from '../../../support/post-values.ts';

const project = { id: 'p1', name: 'Harbour Coffee' };
const otherProject = { id: 'p2', name: 'Night Market Books' };
type State = Parameters<NonNullable<typeof postForm.deriveChanges>>[0];
type Zones = State['formContext']['zones'];

/** Friday noon in Lisbon, where Ana opens an empty form. */
const NOON = new Date('2026-11-20T12:00:00Z');
function openForm(zones: Zones = { byProject: {}, profile: 'Europe/Lisbon' }): State {
  const initialState: State = {
    values: createPostValues(),
    formContext: { projects: [project, otherProject], hasMore: false, actorZone: 'Europe/Lisbon', zones },
    now: NOON,
  };
  return applyChange(postForm, initialState).state;
}

/** Changes values of the form at the given time. */
const changeValues = (state: State, values: Partial<State['values']>, now = state.now): State =>
  applyChange(postForm, { ...state, now }, { values }).state;
const writeWhen = (state: State, when: string, now?: Date): State => changeValues(state, { when }, now);

/** Renders the moment and zone that a submit at this time would send, or the error. */
function renderSentMoment(state: State, now = state.now): string {
  const values = { ...state.values, project: state.values.project ?? project };
  const checkResult = postForm.check({ ...state, values, now });
  if (checkResult.kind === 'invalid') return `${checkResult.errors.when}`;
  const { instant, zone } = checkResult.contents[0]?.moment ?? { instant: '', zone: '' };
  return `${instant} ${zone}`;
}

const renderShownMoment = (state: State): string => JSON.stringify(postForm.renderBelowFields?.(state).when);

describe('the initial zone', () => {
  const allZones = {
    channel: 'Asia/Tokyo',
    byProject: { p1: 'Europe/Berlin' },
    person: 'Europe/Paris',
    profile: 'Europe/Lisbon',
  };
  test.each([
    ['the channel’s zone before all others', allZones, 'Asia/Tokyo'],
    ['the person’s chosen zone before their profile’s', { ...allZones, channel: undefined }, 'Europe/Paris'],
    ['the profile’s zone if none was chosen', { byProject: {}, profile: 'Europe/Lisbon' }, 'Europe/Lisbon'],
    ['no zone if Slack returns none', { byProject: {} }, ''],
    ['no zone if the profile’s is invalid', { byProject: {}, profile: 'Mars/Olympus' }, ''],
  ])('the form starts with %s', (_zoneSource, zones, zone) =>
    expect(openForm(zones).values.zone.zone).toBe(zone),
  );

  test('the zone field follows the chosen project', () => {
    const state = openForm({ byProject: { p1: 'Europe/Berlin' }, profile: 'Europe/Lisbon' });
    const chosenState = changeValues(state, { project });
    expect(chosenState.values.zone.zone).toBe('Europe/Berlin');
    expect(changeValues(chosenState, { project: otherProject }).values.zone.zone).toBe('Europe/Lisbon');
  });

  test('a zone that the person has chosen stays when the project changes', () => {
    const state = openForm({ byProject: { p1: 'Europe/Berlin' }, profile: 'Europe/Lisbon' });
    const chosenState = changeValues(state, { zone: { zone: 'America/New_York' } });
    expect(changeValues(chosenState, { project }).values.zone.zone).toBe('America/New_York');
  });
});

test('the zone field doesn’t change while the text is being typed', () => {
  const state = writeWhen(writeWhen(openForm(), '1 Dec 9am in Tokyo'), '1 Dec 9am in Tokyo bana');
  expect(state.values.zone.zone).toBe('Asia/Tokyo');
});

test('a question about the zone stays when another field changes', () => {
  // In Tokyo it is Saturday already, so "tomorrow" is ambiguous.
  const evening = new Date('2026-11-20T20:00:00Z');
  const state = writeWhen(openForm(), 'tomorrow 9am in Tokyo', evening);
  expect(renderSentMoment(state)).toBe('Choose a time below.');
  expect(renderSentMoment(changeValues(state, { text: 'Another text' }))).toBe('Choose a time below.');
});

test('a zone in the text overrides the zone field, which applies to texts without a zone', () => {
  const state = changeValues(writeWhen(openForm(), '1 Dec 9am in Tokyo'), {
    zone: { zone: 'Europe/Paris' },
  });
  expect(state.values.zone.zone).toBe('Asia/Tokyo');
  expect(renderSentMoment(writeWhen(state, '1 Dec 9am'))).toBe('2026-12-01T08:00:00.000Z Europe/Paris');
});

describe('the shown time is the sent time', () => {
  const createTime = (time: string) => new Date(`2026-11-20T${time}:00Z`);

  test('the shown time is sent, even after a wait', () => {
    const state = writeWhen(openForm(), 'in 2h');
    expect(renderSentMoment(state, createTime('12:10'))).toBe('2026-11-20T14:00:00.000Z Europe/Lisbon');
    expect(renderShownMoment({ ...state, now: createTime('12:10') })).toContain('14:00');
  });

  test('the shown time is sent, even after midnight', () => {
    const state = writeWhen(openForm(), 'tomorrow 9am', createTime('23:59'));
    expect(renderSentMoment(state, new Date('2026-11-21T00:01:00Z'))).toBe(
      '2026-11-21T09:00:00.000Z Europe/Lisbon',
    );
  });

  test('another text or another zone replaces the shown time', () => {
    const state = writeWhen(openForm(), 'in 2h');
    expect(renderSentMoment(writeWhen(state, 'in 3h', createTime('12:10')))).toBe(
      '2026-11-20T15:10:00.000Z Europe/Lisbon',
    );
    const changedState = changeValues(state, { zone: { zone: 'Europe/Berlin' } }, createTime('12:10'));
    expect(renderSentMoment(changedState)).toBe('2026-11-20T14:10:00.000Z Europe/Berlin');
  });
});

describe('an ambiguous text', () => {
  /** Presses the button with this text. */
  function press(state: State, label: string): State {
    const blocks = postForm.renderBelowFields?.(state).when ?? [];
    const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
    const button = buttons.find((candidate) => JSON.stringify(candidate).includes(label));
    if (button?.type !== 'button') throw new Error(`no button says ${label} in ${JSON.stringify(blocks)}`);
    const name = button.action_id?.replace('schedule-post.', '') ?? '';
    const changes = postForm.buttonHandlers?.[name]?.(button.value, state) ?? {};
    return applyChange(postForm, state, changes).state;
  }

  test('one press chooses between the meanings of a list of times, and the text in the field stays', () => {
    const state = press(writeWhen(openForm(), 'mon and tue at 7'), 'Mon 23 Nov, 19:00 · Tue 24 Nov, 19:00');
    expect(state.values.when).toBe('mon and tue at 7');
    expect(renderShownMoment(state)).toContain('2 posts');
    expect(renderSentMoment(state)).toBe('2026-11-23T19:00:00.000Z Europe/Lisbon');
    // Another text causes another question.
    expect(renderSentMoment(writeWhen(state, 'mon and wed at 7'))).toBe('Choose the times below.');
  });

  test('for a time that the clocks skip, the next existing time is offered', () => {
    const state = writeWhen(
      changeValues(openForm(), { zone: { zone: 'Europe/Berlin' } }),
      '28 March 2027 02:30',
    );
    const pressed = press(state, '03:30');
    expect(renderSentMoment(pressed)).toBe('2027-03-28T01:30:00.000Z Europe/Berlin');
    expect(renderShownMoment(pressed)).toContain('skipped by the clock change, so moved forward.');
  });

  test('for “now”, the earliest possible time at submission counts', () => {
    const state = writeWhen(openForm(), 'now');
    expect(renderShownMoment(state)).toContain('The earliest possible time.');
    expect(renderSentMoment(state)).toBe('2026-11-20T12:02:00.000Z Europe/Lisbon');
    const laterState = { ...state, now: new Date('2026-11-20T12:05:30Z') };
    expect(renderSentMoment(laterState)).toBe('2026-11-20T12:07:00.000Z Europe/Lisbon');
  });

  test('“now” on a line of a list is the earliest possible time', () => {
    const state = writeWhen(openForm(), 'tomorrow 9am\nasap');
    expectParts(renderShownMoment(state), 'Fri 20 Nov, 12:02', 'The earliest possible time.');
  });

  test('for the current minute, the time in two minutes is offered', () => {
    const state = writeWhen(openForm(), 'today 12:00');
    expect(renderShownMoment(state)).toContain('Now is too soon.');
    expect(renderSentMoment(press(state, '12:02'))).toBe('2026-11-20T12:02:00.000Z Europe/Lisbon');
  });

  test('for a time that has passed, its next occurrence is offered', () => {
    const state = writeWhen(openForm(), 'today 9am');
    expect(renderSentMoment(press(state, 'Sat 21 Nov, 09:00'))).toBe(
      '2026-11-21T09:00:00.000Z Europe/Lisbon',
    );
  });
});

test('if some of several shown times have passed, the error names them, and the others do not change', () => {
  const state = writeWhen(openForm(), 'in 2h, tomorrow 9am');
  expect(renderShownMoment(state)).toContain('2 posts');
  const laterTime = new Date('2026-11-20T14:05:00Z');
  expect(renderSentMoment(state, laterTime)).toContain('Fri 20 Nov, 14:00 (Lisbon) has passed.');
});

test('an error quotes the unknown words and gives three valid examples', () => {
  const error = renderSentMoment(writeWhen(openForm(), 'tomorrow bananas'));
  expect(error).toContain('bananas');
  const phrases = [...error.matchAll(/“([^”]+)”/g)].map(([, phrase = '']) => phrase);
  expect(phrases[0]).toBe('bananas');
  expect(phrases).toHaveLength(4);
  for (const phrase of phrases.slice(1))
    expect(renderSentMoment(writeWhen(openForm(), phrase))).toMatch(/^2026-1/);
});

test('an assumed time is shown under the field', () => {
  expect(renderShownMoment(writeWhen(openForm(), '1 Dec'))).toContain('09:00');
  const { values, ...rest } = writeWhen(openForm(), '1 Dec');
  const checkResult = postForm.check({ ...rest, values: { ...values, project } });
  expect(JSON.stringify(checkResult)).toMatch(/"notes":\[".*09:00/);
});

describe('choices for a text with several readings', () => {
  const readButtons = (state: State) =>
    [
      ...renderShownMoment(state).matchAll(
        /"text":"([^"]*)","emoji":false\},"action_id":"schedule-post\.choice-/g,
      ),
    ].map(([, label]) => label);

  test('“next week” is its Monday at nine, or Monday to Friday, with or without the time', () => {
    for (const text of ['next week', 'next week 9am', 'Next week at 9:00'])
      expect(readButtons(writeWhen(openForm(), text))).toEqual([
        'Mon 23 Nov, 09:00',
        'Mon 23 Nov, Tue 24 Nov, Wed 25 Nov, Thu 26 Nov, Fri 27 Nov, 09:00',
      ]);
    expect(readButtons(writeWhen(openForm(), 'next week tuesday 9am'))).toEqual([]);
  });

  test('a list of weekdays names all days of each reading, and one reading is the next week', () => {
    const monday = new Date('2026-11-23T07:00:00Z');
    const labels = readButtons(writeWhen(openForm(), 'mon, tue, wed, thu and fri 9am', monday));
    expect(labels).toContain('Mon 30 Nov, Tue 1 Dec, Wed 2 Dec, Thu 3 Dec, Fri 4 Dec, 09:00');
    for (const label of labels) expect(label).not.toContain('…');
    expect(new Set(labels).size).toBe(labels.length);
  });
});

const now = new Date('2026-11-20T12:00:00Z');

const zone = 'Europe/Lisbon';

type TextState = Parameters<typeof chooseMoment>[1];

function createState(when: string): TextState {
  return {
    values: createPostValues({ when, zone: { zone } }),
    formContext: { projects: [], hasMore: false, actorZone: zone, zones: { byProject: {} } },
    now,
  };
}

const renderLine = (state: TextState) => renderWhenLine(readWhen(state), state);

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

test('a time that the clocks skip isn’t said to be moved while the form asks about it', () =>
  expect(renderLine(createState('28 Mar 2027 1:30am'))).toBe(
    ':warning: *This time doesn’t exist because the clocks go forward.* Did you mean Sun 28 Mar 2027, 02:30?',
  ));

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
  expectParts(buttons, '"Di., 24. Nov., 06:00"', '"Di., 24. Nov., 18:00"');
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

test('a rule is shown with its next dates, and what becomes of special ones', () =>
  expect(renderLine(createState('every month on the 31st at 9am')).split('\n')).toEqual([
    ':repeat: *the 31st of every month at 09:00 (Lisbon)*',
    '• Thu 31 Dec, 09:00 (Lisbon)',
    '• Sun 31 Jan 2027, 09:00 (Lisbon)',
    '• Wed 31 Mar 2027, 09:00 (Lisbon)',
    '• Mon 31 May 2027, 09:00 (Lisbon)',
    '• Sat 31 Jul 2027, 09:00 (Lisbon)',
    'Months without a 31st are skipped. For the end of every month, type “last day of every month”. It keeps its time on the clock when the clocks change, next on Sun 28 Mar 2027. For several texts in turn, put a line with --- between them.',
  ]));

test('a post can’t repeat every hour', () =>
  expect(renderLine(createState('every hour'))).toBe(
    ':warning: *Posts can’t repeat that often.* Try “every weekday at 9” or “first tuesday of every month 10:00”.',
  ));

test('a chosen rule keeps the zone that the text named, in the field for it', () => {
  const state = createState('every second tuesday 9am in Tokyo');
  const reading = readWhen(state);
  if (reading?.kind !== 'which-series') throw new Error(`the reading is ${reading?.kind}`);
  const [first] = reading.recurrences;
  if (!first) throw new Error('there is no rule');
  const chosen = applyChange(postForm, state, chooseMoment(encodeChoice(first), state)).state;
  expect(chosen.values.when).toBe('every other Tuesday at 09:00, from 24 Nov 2026');
  expect(readWhen(chosen)).toMatchObject({
    kind: 'series',
    recurrence: { interval: 2, zone: 'Asia/Tokyo', start: '2026-11-24' },
  });
});

test.each(['M/W/F 9am', 'mon, wed and fri 9am', 'every day until wednesday at 9am'])('%s is a list', (text) =>
  expect(readWhen(createState(text))).toMatchObject({
    kind: 'several',
    momentsReading: { kind: 'understood' },
  }),
);

test.each(['christmas week', 'thursday before noon'])(
  '%s is a range, and the form says what works',
  (text) => {
    const shown = renderShownMoment(writeWhen(openForm(), text));
    expectParts(shown, `“${text}”`, 'That’s a range. Pick one time.');
  },
);

test('a range of which one half of the day has passed is sent with a time', () => {
  expect(renderSentMoment(writeWhen(openForm(), 'thursday until today 7'))).toBe(
    '2026-11-20T19:00:00.000Z Europe/Lisbon',
  );
});
