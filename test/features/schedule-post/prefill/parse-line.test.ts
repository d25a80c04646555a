import { describe, expect, test } from 'vitest';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';
import { understandMoment } from '../../../../src/when/when.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';

const now = new Date('2026-11-20T12:00:00Z');
const items = [
  { id: 'p1', name: 'Harbour Coffee' },
  { id: 'p2', name: 'Night Market Books' },
  { id: 'p3', name: 'Monday Club' },
];
const projects = { items, isTruncated: false };
const isMoment = (text: string) => understandMoment({ text, now, zone: 'UTC' }).kind !== 'not-understood';

/** Parses a line into "when | platforms | project | text", after DRAFT for a draft. */
function describeParsedLine(line: string): string {
  const { when, platforms, project, text, isDraft } = parseLine(line, projects, isMoment);
  return [isDraft ? `DRAFT ${when}` : when, platforms.join(','), project?.id ?? '', text].join(' | ');
}

describe('the text', () => {
  test.each([
    ['tomorrow 9:30 on x, linkedin: We are live!', 'tomorrow 9:30 | X,LINKEDIN |  | We are live!'],
    ['tomorrow 12:30 on x:\nTwo\nlines: here', 'tomorrow 12:30 | X |  | Two\nlines: here'],
    ['tomorrow 9am on x "We are live: now"', 'tomorrow 9am | X |  | We are live: now'],
    ['“We are live” tomorrow 9am on x', 'tomorrow 9am | X |  | We are live'],
    ['on x “He said “hi” to us” tomorrow', 'tomorrow | X |  | He said “hi” to us'],
    ['on x „Wir öffnen“ tomorrow', 'tomorrow | X |  | Wir öffnen'],
    ['tomorrow on x "We are live', 'tomorrow | X |  | We are live'],
    ['tomorrow on x: "Quotes" are kept here', 'tomorrow | X |  | "Quotes" are kept here'],
    [': Only a text', ' |  |  | Only a text'],
    ['tomorrow 9am on x', 'tomorrow 9am | X |  | '],
    ['tomorrow 9am on x:', 'tomorrow 9am | X |  | '],
    ['see https://example.com tomorrow', 'see https://example.com tomorrow |  |  | '],
    ['x: <!channel> & “all”', ' | X |  | <!channel> & “all”'],
  ])('the text is found in %j', (line, expected) => {
    expect(describeParsedLine(line)).toBe(expected);
  });
});

describe('platforms', () => {
  test.each([
    ['on twitter, ig and fb tomorrow 9am: Hi', 'tomorrow 9am | X,INSTAGRAM,FACEBOOK |  | Hi'],
    ['x/linkedin tomorrow: Hi', 'tomorrow | X,LINKEDIN |  | Hi'],
    ['on x & fb at 5pm: Hi', 'at 5pm | X,FACEBOOK |  | Hi'],
    ['linked in and tik tok friday 9am: Hi', 'friday 9am | LINKEDIN,TIKTOK |  | Hi'],
    ['on friday on x: Hi', 'on friday | X |  | Hi'],
    ['mon, wed and fri 9am on x: Hi', 'mon, wed and fri 9am | X |  | Hi'],
    ['on x twitter: Hi', ' | X |  | Hi'],
  ])('the platforms are found in %j', (line, expected) => {
    expect(describeParsedLine(line)).toBe(expected);
  });

  test.each(['on all tomorrow: Hi', 'all platforms tomorrow: Hi'])('%j means all ten platforms', (line) => {
    const { platforms, when } = parseLine(line, projects, isMoment);
    expect(platforms).toHaveLength(10);
    expect(when).toBe('tomorrow');
  });

  test('"all" in another phrase means no platforms', () => {
    expect(describeParsedLine('all day: Hi')).toBe('all day |  |  | Hi');
  });
});

describe('the project', () => {
  test.each([
    ['for Harbour Coffee tomorrow 9am: Hi', 'tomorrow 9am |  | p1 | Hi'],
    ['tomorrow 9am for harbour: Hi', 'tomorrow 9am |  | p1 | Hi'],
    ['for "Night Market Books" tomorrow: Hi', 'tomorrow |  | p2 | Hi'],
    ['for p2 on x, tomorrow: Hi', 'tomorrow | X | p2 | Hi'],
    ['for monday 9am on x: Hi', 'for monday 9am | X |  | Hi'],
    ['for Monday Club at 9am: Hi', 'at 9am |  | p3 | Hi'],
    ['for Nobody tomorrow: Hi', 'for Nobody tomorrow |  |  | Hi'],
  ])('the project is found in %j only if the project exists', (line, expected) => {
    expect(describeParsedLine(line)).toBe(expected);
  });
});

test.each([
  ['draft: Hi', 'DRAFT  |  |  | Hi'],
  ['draft for harbour on x: Hi', 'DRAFT  | X | p1 | Hi'],
  ['save as a draft tomorrow 9am: Hi', 'DRAFT tomorrow 9am |  |  | Hi'],
  ['tomorrow: a draft beer', 'tomorrow |  |  | a draft beer'],
])('the word "draft" before the text means a draft: %j', (line, expected) => {
  expect(describeParsedLine(line)).toBe(expected);
});

test('a long line without a colon or quotes is all text', () => {
  const line = 'We open tomorrow at nine and everybody is welcome '.repeat(9).trim();
  expect(describeParsedLine(line)).toBe(` |  |  | ${line}`);
});

test('the beginning of a name matches no project if the list is truncated', () => {
  const truncatedList = { items, isTruncated: true };
  expect(parseLine('tomorrow for harbour: Hi', truncatedList, isMoment)).toMatchObject({
    when: 'tomorrow for harbour',
  });
  expect(parseLine('tomorrow for harbour coffee: Hi', truncatedList, isMoment).project?.id).toBe('p1');
});

test('a line of 100 kB is parsed within a second', () => {
  for (const part of ['"', '“', 'for ', 'on x, ', 'a:', 'b c ', 'all ', ', and ']) {
    const line = part.repeat(Math.ceil(100_000 / part.length));
    expect(
      cpuMs(() => parseLine(line, projects, isMoment)),
      part,
    ).toBeLessThan(1_000);
  }
});

test('after “for”, only words that begin a project’s name are checked for being a moment', () => {
  const checkedTexts: string[] = [];
  const line = `${'for monday or friday at 9am in Berlin '.repeat(3)}: We are live!`;
  parseLine(line, projects, (text) => {
    checkedTexts.push(text);
    return isMoment(text);
  });
  expect(new Set(checkedTexts)).toEqual(new Set(['monday']));
});
