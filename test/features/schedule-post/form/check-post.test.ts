import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitPrefilledTexts, splitText } from '../../../../src/features/schedule-post/form/text-fields.ts';
import { postForm } from '../../../../src/features/schedule-post/post-form.ts';
import { checkForm } from '../../../../src/forms/current-form.ts';
import { createPostValues, type PostValueChanges } from '../../../support/post-values.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const project = { id: 'p1', name: 'Harbour Coffee' };
const formContext = {
  projects: [project],
  hasMore: false,
  chosen: project,
  actorZone: 'Europe/Berlin',
  zones: { byProject: {} },
};
const validValues = createPostValues({ project, when: '1 Dec 9am', zone: { zone: 'Europe/Berlin' } });

function findErrors(changes: PostValueChanges, context = formContext): Record<string, string | undefined> {
  const checkResult = checkForm(postForm, {
    values: { ...validValues, ...changes },
    formContext: context,
    now: NOW,
  });
  return checkResult.kind === 'invalid' ? checkResult.errors : {};
}

test('a complete form becomes the content that is stored and sent', () =>
  expect(checkForm(postForm, { values: validValues, formContext, now: NOW })).toEqual({
    kind: 'valid',
    contents: [
      {
        values: {
          project,
          text: 'Hello',
          platforms: ['X'],
          status: 'SCHEDULED',
          when: '1 Dec 9am',
          zone: 'Europe/Berlin',
          media: '',
          altText: '',
        },
        project,
        actorZone: 'Europe/Berlin',
        moment: { instant: '2026-12-01T08:00:00.000Z', zone: 'Europe/Berlin', notes: [] },
      },
    ],
  }));

test.each(['', '   ', '\n\t', '\u200b\u200d', '\u202e'])('a post needs more text than %j', (text) =>
  expect(findErrors({ text }).text).toMatch(/^Write the text/),
);
test.each([{ prompt: { id: 'p', name: 'P' } }, { template: { id: 't', name: 'T' } }])(
  'the text may be blank with %j',
  (changes) => expect(findErrors({ text: '', ...changes })).toEqual({}),
);
test.each(['a'.repeat(3000), '🧑‍🔧'.repeat(600), '<!channel> <@U1> \u202eabc', '“quotes”\r\n\ttabs'])(
  'the text %.20s… is accepted',
  (text) => expect(findErrors({ text, platforms: ['REDDIT'] })).toEqual({}),
);
test.each(['a'.repeat(3001), 'nul \u0000', 'half \ud83e', 'bell \u0007'])(
  'the text %.12j is rejected',
  (text) => expect(Object.keys(findErrors({ text }))).toEqual(['text']),
);

test('an emoji counts as two characters on X', () => {
  expect(findErrors({ text: '🎉'.repeat(140) })).toEqual({});
  expect(Object.keys(findErrors({ text: '🎉'.repeat(141) }))).toEqual(['text']);
});

describe('a text in several fields', () => {
  function getSentValues(changes: PostValueChanges) {
    const values = { ...validValues, platforms: ['REDDIT'], ...changes };
    const checkResult = checkForm(postForm, { values, formContext, now: NOW });
    return checkResult.kind === 'valid' ? checkResult.contents[0] : checkResult.errors;
  }
  test('several text fields have at most 9,000 characters together', () => {
    const [text, text2] = ['a'.repeat(3_000), 'a'.repeat(3_000)];
    expect(getSentValues({ text, text2, text3: 'a'.repeat(3_000) })).toHaveProperty('project');
    expect(getSentValues({ text, text2, text3: 'a'.repeat(3_001) })).toEqual({
      text3: 'The text is 1 character too long: 3000 fit here.',
    });
  });
  test('placeholders that are filled in count', () => {
    const context = { ...formContext, placeholders: ['{notes}'] };
    const values = {
      ...validValues,
      platforms: ['REDDIT'],
      text: `{notes}${'a'.repeat(2_993)}`,
      text2: 'a'.repeat(3_000),
      text3: 'a'.repeat(3_000),
      fill1: 'chocolate and plum',
    };
    expect(checkForm(postForm, { values, formContext: context, now: NOW })).toMatchObject({
      errors: { text3: 'The form takes 9,000 characters, and 11 more don’t fit.' },
    });
  });
});

test('several publishing times are rejected if one has passed, and nothing is sent', () =>
  expect(findErrors({ when: 'today 9am and tomorrow 9am' }).when).toContain('has passed'));

test('the same platform may be chosen twice', () =>
  expect(findErrors({ platforms: ['X', 'X'] })).toEqual({}));
test.each(['MYSPACE', '__proto__', 'x'])('the unknown platform %s is rejected', (name) =>
  expect(findErrors({ platforms: ['X', name] }).platforms).toMatch(/I don’t know one of these platforms/),
);

test.each([
  ['', 'Enter a time'],
  ['yesterday 9am', '“yesterday”: That time has passed'],
  ['20 Nov 2026 9am', 'has passed'],
  ['banana', 'Try'],
  ['28 March 2027 02:30', 'This time doesn’t exist'],
  ['31 October 2027 02:30', 'Choose a time below.'],
  ['1 Dec 9999 9am', 'far'],
  ['29 February 2027 9am', 'doesn’t exist'],
  ['31 feb 9am', '31 Feb doesn’t exist. Did you mean Sun 28 Feb 2027, 09:00?'],
  ['x'.repeat(201), 'too long'],
])('the publishing time %.30j is rejected with a suggestion', (when, expected) =>
  expect(findErrors({ when }).when).toContain(expected),
);
test('29 February of a leap year is accepted', () =>
  expect(findErrors({ when: '29 February 2028 9am' })).toEqual({}));
test('a draft needs no publishing time, but a typed time must be valid', () => {
  expect(findErrors({ when: '', status: 'DRAFT' })).toEqual({});
  expect(Object.keys(findErrors({ when: 'banana', status: 'DRAFT' }))).toEqual(['when']);
});
test.each(['', 'Mars/Olympus', '__proto__', '+01:00'])('the zone %j is rejected', (zone) =>
  expect(Object.keys(findErrors({ zone: { zone } }))).toEqual(['zone']),
);

test.each([
  'javascript:alert(1)',
  ' JAVA\nSCRIPT:alert(1)',
  'java\u200bscript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'view-source:https://example.com',
])('the media address %j is rejected', (media) =>
  expect(findErrors({ media }).media).toMatch(/aren’t supported.*https:\/\/example\.com\/photo\.jpg/),
);
test.each(['not an address', 'a picture of the harbour', 'notes on data: part two', 'https://', 'http:// x'])(
  'for the text %j instead of a link, an error says what to enter',
  (media) =>
    expect(findErrors({ media }).media).toBe(
      'Enter a link to an image or video, such as https://example.com/photo.jpg.',
    ),
);
test.each([
  '',
  '  ',
  'https://example.com/a.png?x=1',
  ' HTTPS://example.com/a.png ',
  'https://bücher.example/größe.jpg',
  's3://bucket/a.png',
  'file_17',
  'asset:1234',
  'http://169.254.169.254/',
  'http://[::ffff:127.0.0.1]/',
  'http://2130706433/',
  'https://user:pass@host/',
])('the media address %j is sent unchanged', (media) => {
  const checkResult = checkForm(postForm, { values: { ...validValues, media }, formContext, now: NOW });
  expect(checkResult).toMatchObject({ kind: 'valid', contents: [{ values: { media } }] });
});

describe('project', () => {
  const twoProjectsContext = { ...formContext, projects: [project, { id: 'p2', name: 'Books' }] };
  test.each([undefined, 'p3', '../p2', '__proto__'])(
    'with two projects, the project %s is rejected',
    (id) => {
      const errors = findErrors(
        { project: id === undefined ? id : { id, name: 'Other' } },
        twoProjectsContext,
      );
      expect(Object.keys(errors)).toEqual(['project']);
    },
  );
});

test.each([
  ['an empty text', '', 0],
  ['a text that fits', 'a'.repeat(3_000), 1],
  ['one character more', 'a'.repeat(3_001), 2],
  ['9,000 letters', 'a'.repeat(9_000), 3],
  ['9,000 characters of words', 'word '.repeat(1_800), 3],
  ['9,000 characters with an emoji across a limit', `${'a'.repeat(2_998)}🧑‍🔧${'b'.repeat(5_997)}`, 3],
  ['an emoji across the limit', `${'a'.repeat(2_999)}🧑‍🔧${'b'.repeat(10)}`, 2],
  ['one character that is longer than a field', `e${'\u0301'.repeat(7_000)}`, 3],
])('%s is split into fields and joined unchanged', (_content, text, count) => {
  const { parts, excessText } = splitText(text);
  expect(parts.join('')).toBe(text);
  expect(excessText).toBe('');
  expect(parts).toHaveLength(count);
  expect(parts.every((part) => part.length <= 3_000 && part.isWellFormed())).toBe(true);
});

test('a field ends at a paragraph break if there is one near its limit', () => {
  const [firstPart] = splitText(`${'a'.repeat(2_900)}\n\n${'b c '.repeat(500)}`).parts;
  expect(firstPart?.endsWith('a\n\n')).toBe(true);
});

test('text beyond the last field is returned separately', () => {
  // The last field ends behind the joiner.
  const { parts, excessText } = splitText(`${'a'.repeat(8_997)}🧑‍🔧${'b'.repeat(3_000)}`);
  expect(parts.join('')).toBe('a'.repeat(8_997));
  expect(excessText).toBe(`🧑‍🔧${'b'.repeat(3_000)}`);
});

test('typed texts that fit stay in their fields', () =>
  expect(fitPrefilledTexts({ text: 'one', text2: '', text3: 'three', media: 'x' })).toEqual({
    values: { text: 'one', text2: '', text3: 'three' },
    excessText: '',
  }));

test('a text that is longer than all fields is kept', () => {
  const text = Array.from({ length: 14 }, (_, index) => String.fromCharCode(97 + index).repeat(2_000)).join(
    '',
  );
  const { values, excessText } = fitPrefilledTexts({ text });
  expect(Object.values(values).join('') + excessText).toBe(text);
  expect(excessText).toHaveLength(28_000 - 9_000);
});

test('any text of up to 8,990 characters is split and joined unchanged', () => {
  const fragmentArbitrary = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(' ', '\n', '👩‍👩‍👧‍👦', 'שלום ', '. '),
  );
  fc.assert(
    fc.property(
      fc.array(fragmentArbitrary, { maxLength: 40 }),
      fc.integer({ min: 1, max: 400 }),
      (fragments, times) => {
        const text = fragments.join('').repeat(times).slice(0, 8_990).toWellFormed();
        const { parts, excessText } = splitText(text);
        expect(parts.join('') + excessText).toBe(text);
        expect(excessText).toBe('');
      },
    ),
    { numRuns: 60 },
  );
});
