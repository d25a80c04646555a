import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/api/projects.ts';
import {
  addMissingProjects,
  findProjectByChannelName,
  findProjectsByName,
  nameProjects,
  resolveChannelProject,
  resolveProject,
} from '../../src/posts/project.ts';

const createList = (ids: readonly string[], isTruncated: boolean) => ({
  isReadable: true,
  items: ids.map((id): Project => ({ id, name: `Name of ${id}` })),
  unreadableCount: 0,
  isTruncated,
});
const allPermissions = { may: () => true };

describe('a project missing from the list', () => {
  test('a project missing from a complete list doesn’t exist', () => {
    expect(addMissingProjects(createList(['p1'], false), ['p9'], allPermissions).items).toHaveLength(1);
  });

  test('a project missing from a truncated list is added with its known name or its id', () => {
    const { items } = addMissingProjects(
      createList(['p1'], true),
      ['p1', 'p9', { id: 'p8', name: 'Eight' }, 'p9'],
      allPermissions,
    );
    expect(items).toEqual([
      { id: 'p1', name: 'Name of p1' },
      { id: 'p9', name: 'p9' },
      { id: 'p8', name: 'Eight' },
    ]);
  });

  test('a project missing from the list isn’t shown to a person who may not see it', () => {
    const may = (_role: string, project?: string) => project !== 'p9';
    expect(addMissingProjects(createList(['p1'], true), ['p9'], { may }).items.map(({ id }) => id)).toEqual([
      'p1',
    ]);
  });
});

test('a truncated list with one project or none may hide other projects', () => {
  expect(resolveChannelProject(createList(['p1'], false), []).kind).toBe('one');
  expect(resolveChannelProject(createList(['p1'], true), []).kind).toBe('several');
  expect(resolveChannelProject(createList(['p1'], true), ['p1']).kind).toBe('one');
  expect(resolveChannelProject(createList([], false), []).kind).toBe('none');
  expect(resolveChannelProject(createList([], true), []).kind).toBe('several');
});

const harbour = { id: 'p1', name: 'Harbour Coffee' };
const books = { id: 'p2', name: 'Night Market Books' };
const tea = { id: 'p3', name: 'Harbour Tea' };
const allProjects = [harbour, books, tea];

const describeResult = (text: string, boundIds: string[] = [], projects = allProjects) => {
  const resolution = resolveProject({ items: projects, isTruncated: false }, boundIds, text);
  if (resolution.kind === 'none') return 'none';
  const names =
    resolution.kind === 'one'
      ? resolution.project.name
      : resolution.projects.map(({ name }) => name).join(' or ');
  return `${names} · ${resolution.rest}`;
};

test.each([
  ['Harbour Coffee', 'Harbour Coffee · '],
  ['errors “harbour  coffee” yesterday', 'Harbour Coffee · errors yesterday'],
  ['p2 errors', 'Night Market Books · errors'],
  ['night', 'Night Market Books · '],
  ['harbour', 'Harbour Coffee or Night Market Books or Harbour Tea · harbour'],
  ['', 'Harbour Coffee or Night Market Books or Harbour Tea · '],
])('the text “%s” in a channel without bound projects means “%s”', (text, expected) => {
  expect(describeResult(text)).toBe(expected);
});

test.each([
  ['night', ['p1'], 'Harbour Coffee · night'],
  ['', ['p1', 'p3'], 'Harbour Coffee or Harbour Tea · '],
  ['Night Market Books x', ['p1'], 'Night Market Books · x'],
  ['x', ['gone'], 'Harbour Coffee or Night Market Books or Harbour Tea · x'],
])('the text “%s” in a channel bound to %j means “%s”', (text, boundIds, expected) => {
  expect(describeResult(text, boundIds)).toBe(expected);
});

test('the only project is used without a question', () => {
  expect(describeResult('x', [], [books])).toBe('Night Market Books · x');
  expect(describeResult('x', [], [])).toBe('none');
});

test('two projects with the same name are both candidates', () => {
  const projectsWithSameName = [harbour, { id: 'p9', name: 'Harbour Coffee' }];
  expect(describeResult('errors harbour coffee', [], projectsWithSameName)).toBe(
    'Harbour Coffee or Harbour Coffee · errors',
  );
  expect(describeResult('Harbour Coffee errors p9', [], projectsWithSameName)).toBe(
    'Harbour Coffee or Harbour Coffee · errors p9',
  );
  expect(
    resolveProject({ items: projectsWithSameName, isTruncated: false }, [], 'errors Harbour Coffee (p9)'),
  ).toEqual({ kind: 'one', project: { id: 'p9', name: 'Harbour Coffee' }, rest: 'errors' });
});

test('projects whose names look the same are named with their IDs', () => {
  const look = (...names: string[]) => nameProjects(names.map((name, index) => ({ id: `p${index}`, name })));
  const long = 'Harbour Coffee, the roastery and its shops in the old town of';
  expect(look(`${long} Porto`, `${long} Lisbon`)).toEqual([`${long} Porto (p0)`, `${long} Lisbon (p1)`]);
  expect(look('Harbour', 'Har\u200bbour')).toEqual(['Harbour (p0)', 'Harbour (p1)']);
  // A joiner of graphemes, and a Hangul filler.
  expect(look('Tea', 'T\u034fea', 'Tea\u3164').map((name) => name.slice(-4))).toEqual([
    '(p0)',
    '(p1)',
    '(p2)',
  ]);
  // Cyrillic а and capital Н, and Greek ο and capital Ρ.
  expect(look('Harbour', 'H\u0430rbour', '\u041darb\u03bfur', 'Port', '\u03a1ort')).toEqual([
    ...['Harbour (p0)', 'H\u0430rbour (p1)', '\u041darb\u03bfur (p2)', 'Port (p3)', '\u03a1ort (p4)'],
  ]);
  expect(look('Кофе', 'Kofe', 'Café', 'Caf\u0435\u0301')).toEqual([
    ...['Кофе', 'Kofe', 'Café (p2)', 'Caf\u0435\u0301 (p3)'],
  ]);
  expect(look('Harbour', 'Harbour Tea')).toEqual(['Harbour', 'Harbour Tea']);
});

test('an exact ID in a text wins over a name', () => {
  const projects = [
    { id: 'HARBOUR', name: 'Night Market Books' },
    { id: 'p1', name: 'Harbour' },
  ];
  expect(describeResult('HARBOUR errors', [], projects)).toBe('Night Market Books · errors');
  expect(describeResult('harbour errors', [], projects)).toBe('Night Market Books or Harbour · errors');
});

test.each([
  ['HARBOUR', ['HARBOUR']],
  ['harbour', ['HARBOUR', 'p1']],
  ['aB', ['aB']],
  ['AB', ['aB', 'Ab']],
])('a line that is nothing but “%s” names the projects %j: an exact ID wins', (text, expected) => {
  const items = [
    { id: 'HARBOUR', name: 'Night Market Books' },
    { id: 'p1', name: 'Harbour' },
    { id: 'aB', name: 'Tea' },
    { id: 'Ab', name: 'Bikes' },
  ];
  const { projects, isWholeName } = findProjectsByName({ items, isTruncated: false }, text);
  expect({ ids: projects.map(({ id }) => id), isWholeName }).toEqual({ ids: expected, isWholeName: true });
});

test('the beginning of a name doesn’t select a project if the list is truncated', () => {
  const truncated = { items: allProjects, isTruncated: true };
  expect(resolveProject(truncated, [], 'night').kind).toBe('several');
  expect(resolveProject(truncated, [], 'night market books')).toMatchObject({ kind: 'one', project: books });
});

const PROJECTS = ['Harbour Coffee', 'Harbour', 'Night Market', 'Café du Port', 'Tea & Co.'].map(
  (name, index) => ({ id: `p${index}`, name }),
);

const find = (channelName: string, isTruncated = false) =>
  findProjectByChannelName({ items: PROJECTS, isTruncated }, channelName)?.name;

test.each([
  ['harbour-coffee', 'Harbour Coffee'],
  ['harbourcoffee', 'Harbour Coffee'],
  ['team-harbour-coffee', 'Harbour Coffee'],
  ['harbour-coffee-social', 'Harbour Coffee'],
  ['harbour', 'Harbour'],
  ['cafe-du-port', 'Café du Port'],
  ['tea-co-2026', 'Tea & Co.'],
])('#%s is about the project %s', (channelName, expected) => {
  expect(find(channelName)).toBe(expected);
});

test.each([
  ['general', 'no project has its name'],
  ['harbours', 'it has only a part of a word'],
  ['harbour-night-market', 'it names two projects'],
  ['', 'Slack didn’t send its name'],
])('#%s is about no project, because %s', (channelName) => {
  expect(find(channelName)).toBeUndefined();
});

test('a channel named like two projects is about neither of them', () => {
  const items = [
    { id: 'p1', name: 'Harbour Coffee' },
    { id: 'p2', name: 'Harbour coffee' },
  ];
  expect(findProjectByChannelName({ items, isTruncated: false }, 'harbour-coffee')).toBeUndefined();
});

test('a channel is about no project while the list of projects is truncated', () => {
  expect(find('harbour-coffee', true)).toBeUndefined();
});
