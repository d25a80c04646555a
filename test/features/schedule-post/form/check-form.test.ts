import { describe, expect, test } from 'vitest';
import { checkForm } from '../../../../src/features/schedule-post/form/check-form.ts';
import type { Loaded, Typed } from '../../../../src/features/schedule-post/form/form-facts.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const project = { id: 'p1', name: 'Harbour Coffee' };
const loaded: Loaded = { projects: [project], more: false, chosen: project, readerZone: 'Europe/Berlin' };
const good: Typed = {
  text: 'Hello',
  platforms: ['X'],
  status: 'SCHEDULED',
  when: '1 Dec 9am',
  zone: 'Europe/Berlin',
  media: '',
  prompt: '',
};

function faults(changes: Partial<Typed>, facts: Loaded = loaded): Record<string, string | undefined> {
  const checked = checkForm({ ...good, ...changes }, facts, NOW);
  return checked.kind === 'faulty' ? checked.errors : {};
}

test('a whole form becomes what is kept and sent', () => {
  expect(checkForm(good, loaded, NOW)).toEqual({
    kind: 'good',
    content: {
      typed: good,
      project,
      readerZone: 'Europe/Berlin',
      moment: { instant: '2026-12-01T08:00:00.000Z', zone: 'Europe/Berlin' },
    },
  });
});

describe('text', () => {
  test.each(['', '   ', '\n\t', '\u200b\u200d', '\u202e'])('%j alone is no post', (text) => {
    expect(faults({ text }).text).toMatch(/^Write the text/);
  });
  test.each([{ prompt: 'greeting' }, { template: { id: 't', name: 'T' } }])(
    'may be blank with %j',
    (changes) => {
      expect(faults({ text: '', ...changes })).toEqual({});
    },
  );
  test.each(['a'.repeat(3000), '🧑‍🔧'.repeat(600), '<!channel> <@U1> \u202eabc', '“quotes”\r\n\ttabs'])(
    '%.20s… is fine',
    (text) => {
      expect(faults({ text })).toEqual({});
    },
  );
  test.each(['a'.repeat(3001), 'nul \u0000', 'half \ud83e', 'bell \u0007'])('%.12j is told', (text) => {
    expect(Object.keys(faults({ text }))).toEqual(['text']);
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
    ['x'.repeat(201), 'Try'],
  ])('%.30j is told, with what to write instead', (when, words) => {
    expect(faults({ when }).when).toContain(words);
  });
  test('is not needed for a draft, but must be understood where it is there', () => {
    expect(faults({ when: '', status: 'DRAFT' })).toEqual({});
    expect(Object.keys(faults({ when: 'banana', status: 'DRAFT' }))).toEqual(['when']);
  });
  test.each(['', 'Mars/Olympus', '__proto__', '+01:00'])('zone %j is told', (zone) => {
    expect(Object.keys(faults({ zone }))).toEqual(['zone']);
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
    const checked = checkForm({ ...good, media }, loaded, NOW);
    expect(checked).toMatchObject({ kind: 'good', content: { typed: { media } } });
  });
});

describe('project', () => {
  const several: Loaded = { ...loaded, projects: [project, { id: 'p2', name: 'Books' }] };
  test.each([undefined, 'p3', '../p2', '__proto__'])('%s of two others is told', (id) => {
    const errors = faults(id === undefined ? {} : { project: { id, name: 'Other' } }, several);
    expect(Object.keys(errors)).toEqual(['project']);
  });

  test('one that was found beyond the first hundred is taken with its name', () => {
    const found = { id: 'p777', name: 'Found by searching' };
    const checked = checkForm({ ...good, project: found }, { ...several, more: true }, NOW);
    expect(checked).toMatchObject({ kind: 'good', content: { project: found } });
  });
});
