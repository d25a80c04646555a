import { describe, expect, test } from 'vitest';
import { postForm } from '../../../../src/features/schedule-post/post-form.ts';
import { checkForm } from '../../../../src/forms/current-form.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const project = { id: 'p1', name: 'Harbour Coffee' };
const formContext = {
  projects: [project],
  hasMore: false,
  chosen: project,
  actorZone: 'Europe/Berlin',
  zones: { byProject: {} },
};
type Context = Omit<typeof formContext, 'hasMore'> & { hasMore: boolean; customEmoji?: string[] };
const good = {
  project: { ...project } as { id: string; name: string } | undefined,
  text: 'Hello',
  platforms: ['X'],
  status: 'SCHEDULED' as 'SCHEDULED' | 'DRAFT' | '',
  when: '1 Dec 9am',
  zone: { zone: 'Europe/Berlin' },
  media: '',
  template: undefined as { id: string; name: string } | undefined,
  prompt: undefined as { id: string; name: string } | undefined,
};
type Typed = typeof good & { [more: `text${number}`]: string };

function faults(changes: Partial<Typed>, known: Context = formContext): Record<string, string | undefined> {
  const checked = checkForm(postForm, { values: { ...good, ...changes }, formContext: known, now: NOW });
  return checked.kind === 'invalid' ? checked.errors : {};
}

test('a whole form becomes what is kept and sent', () => {
  expect(checkForm(postForm, { values: good, formContext, now: NOW })).toEqual({
    kind: 'valid',
    contents: [
      {
        values: { ...good, zone: 'Europe/Berlin' },
        project,
        actorZone: 'Europe/Berlin',
        moment: { instant: '2026-12-01T08:00:00.000Z', zone: 'Europe/Berlin', notes: [] },
      },
    ],
  });
});

describe('text', () => {
  test.each(['', '   ', '\n\t', '\u200b\u200d', '\u202e'])('%j alone is no post', (text) => {
    expect(faults({ text }).text).toMatch(/^Write the text/);
  });
  test.each([{ prompt: { id: 'p', name: 'P' } }, { template: { id: 't', name: 'T' } }])(
    'may be blank with %j',
    (changes) => {
      expect(faults({ text: '', ...changes })).toEqual({});
    },
  );
  test.each(['a'.repeat(3000), '🧑‍🔧'.repeat(600), '<!channel> <@U1> \u202eabc', '“quotes”\r\n\ttabs'])(
    '%.20s… is fine',
    (text) => {
      expect(faults({ text, platforms: ['REDDIT'] })).toEqual({});
    },
  );
  test.each(['a'.repeat(3001), 'nul \u0000', 'half \ud83e', 'bell \u0007'])('%.12j is told', (text) => {
    expect(Object.keys(faults({ text }))).toEqual(['text']);
  });
});

describe('what the platforms say', () => {
  const long = 'a'.repeat(300);

  test('stops a scheduled post under the field that it is about', () => {
    expect(faults({ text: long, platforms: ['X', 'INSTAGRAM'] })).toEqual({
      text: 'X counts 300 of 280. Shorten it by 20.',
      media: 'Instagram needs media. Add it, or leave out Instagram.',
    });
  });
  test('stops under the last of the text’s fields', () => {
    expect(faults({ text: long, text2: 'b' })).toEqual({ text2: expect.stringContaining('counts 301') });
  });
  test('stops no draft, and nothing that a template or prompt may still change', () => {
    expect(faults({ text: long, status: 'DRAFT' })).toEqual({});
    expect(faults({ text: long, template: { id: 't', name: 'T' } })).toEqual({});
  });
  test('does not stop where it is only a warning', () => {
    expect(faults({ platforms: ['REDDIT'] })).toEqual({});
  });
});

describe('a text of several fields', () => {
  function sent(changes: Partial<Typed>) {
    const values = { ...good, platforms: ['REDDIT'], ...changes };
    const checked = checkForm(postForm, { values, formContext, now: NOW });
    return checked.kind === 'valid' ? checked.contents[0] : checked.errors;
  }

  test('is one, with nothing lost or added in between', () => {
    expect(sent({ text: 'one ', text2: '\n two', text3: '', text4: 'three' })).toMatchObject({
      text: 'one \n twothree',
      values: { text: 'one ', furtherTexts: ['\n two', '', 'three'] },
    });
  });
  test('is at most 40,000 characters', () => {
    const full = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`text${at + 2}`, 'a'.repeat(3_000)]),
    );
    expect(sent({ text: 'a'.repeat(3_000), ...full, text14: 'a'.repeat(1_000) })).toHaveProperty('project');
    expect(sent({ text: 'a'.repeat(3_000), ...full, text14: 'a'.repeat(1_001) })).toEqual({
      text14: 'The text is 1 characters too long: 40000 fit in all.',
    });
  });
});

describe('emoji codes', () => {
  test('are sent as characters, and stay codes in the form', () => {
    const checked = checkForm(postForm, { values: { ...good, text: 'Open :tada:' }, formContext, now: NOW });
    expect(checked).toMatchObject({ contents: [{ text: 'Open 🎉', values: { text: 'Open :tada:' } }] });
  });
  test.each([
    ['guessed', formContext],
    ['known', { ...formContext, customEmoji: ['harbour'] }],
  ])('of the workspace alone are named and stop (%s)', (_how, known) => {
    expect(faults({ text: 'Open :harbour:' }, known).text).toBe(
      'Only this workspace has this emoji: :harbour:. Replace it, or leave it out.',
    );
  });
  test('that Slack knows nothing of are words', () => {
    expect(faults({ text: 'Open :harbour:' }, { ...formContext, customEmoji: [] })).toEqual({});
  });
});

describe('several moments', () => {
  test('are one post each, with words of its own', () => {
    const values = { ...good, when: 'mon, wed and fri 9am' };
    const checked = checkForm(postForm, { values, formContext, now: NOW });
    const contents = checked.kind === 'valid' ? checked.contents : [];
    expect(contents.map(({ moment, values: { when } }) => [moment?.instant, when])).toEqual([
      ['2026-11-23T08:00:00.000Z', 'Mon 23 Nov, 09:00 (Berlin)'],
      ['2026-11-25T08:00:00.000Z', 'Wed 25 Nov, 09:00 (Berlin)'],
      ['2026-11-27T08:00:00.000Z', 'Fri 27 Nov, 09:00 (Berlin)'],
    ]);
  });
  test('of which one is over are told, and nothing is sent', () => {
    expect(faults({ when: 'today 9am and tomorrow 9am' }).when).toContain('has passed');
  });
  test('that can mean several lists are asked about', () => {
    expect(faults({ when: 'mon and tue at 9' }).when).toContain('several lists of moments');
  });
});

describe('platforms', () => {
  test('none is fine for a draft and told for a scheduled post', () => {
    expect(faults({ platforms: [] }).platforms).toBe('Choose at least one platform.');
    expect(faults({ platforms: [], status: 'DRAFT' })).toEqual({});
  });
  test.each(['MYSPACE', '__proto__', 'x'])('%s is told', (name) => {
    expect(faults({ platforms: ['X', name] }).platforms).toMatch(/no platform that I know/);
  });
});

describe('when', () => {
  test.each([
    ['', 'Say when it goes out'],
    ['yesterday 9am', '“yesterday”: That is over'],
    ['20 Nov 2026 9am', 'has passed'],
    ['banana', 'Try'],
    ['28 March 2027 02:30', 'The clocks skip this time'],
    ['31 October 2027 02:30', 'This can mean'],
    ['x'.repeat(201), 'too long'],
  ])('%.30j is told, with what to write instead', (when, words) => {
    expect(faults({ when }).when).toContain(words);
  });
  test('is not needed for a draft, but must be understood where it is there', () => {
    expect(faults({ when: '', status: 'DRAFT' })).toEqual({});
    expect(Object.keys(faults({ when: 'banana', status: 'DRAFT' }))).toEqual(['when']);
  });
  test.each(['', 'Mars/Olympus', '__proto__', '+01:00'])('zone %j is told', (zone) => {
    expect(Object.keys(faults({ zone: { zone } }))).toEqual(['zone']);
  });
});

describe('media', () => {
  test.each([
    'javascript:alert(1)',
    ' JAVA\nSCRIPT:alert(1)',
    'java\u200bscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'view-source:https://example.com',
  ])('%j is refused', (media) => {
    expect(faults({ media }).media).toContain('are not passed on');
  });
  test.each([
    'https://example.com/a.png?x=1',
    'a picture of the harbour',
    'asset:1234',
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'https://user:pass@host/',
    'notes on data: part two',
  ])('%j is passed on as it is', (media) => {
    const checked = checkForm(postForm, { values: { ...good, media }, formContext, now: NOW });
    expect(checked).toMatchObject({ kind: 'valid', contents: [{ values: { media } }] });
  });
});

describe('project', () => {
  const several: Context = { ...formContext, projects: [project, { id: 'p2', name: 'Books' }] };
  test.each([undefined, 'p3', '../p2', '__proto__'])('%s of two others is told', (id) => {
    const errors = faults({ project: id === undefined ? id : { id, name: 'Other' } }, several);
    expect(Object.keys(errors)).toEqual(['project']);
  });

  test('one that was found beyond the first hundred is taken with its name', () => {
    const found = { id: 'p777', name: 'Found by searching' };
    const known = { ...several, hasMore: true };
    const checked = checkForm(postForm, {
      values: { ...good, project: found },
      formContext: known,
      now: NOW,
    });
    expect(checked).toMatchObject({ kind: 'valid', contents: [{ project: found }] });
  });
});
