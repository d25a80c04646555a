import { expect, test } from 'vitest';
import { resolveProject } from '../../src/posts/project.ts';

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
});

test('the beginning of a name doesn’t select a project if the list is truncated', () => {
  const truncated = { items: allProjects, isTruncated: true };
  expect(resolveProject(truncated, [], 'night').kind).toBe('several');
  expect(resolveProject(truncated, [], 'night market books')).toMatchObject({ kind: 'one', project: books });
});
