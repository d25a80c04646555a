import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/api/projects.ts';
import { addMissingProjects, resolveChannelProject } from '../../src/posts/project.ts';

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

describe('a truncated list', () => {
  test('a truncated list with one project or none may hide other projects', () => {
    expect(resolveChannelProject(createList(['p1'], false), []).kind).toBe('one');
    expect(resolveChannelProject(createList(['p1'], true), []).kind).toBe('several');
    expect(resolveChannelProject(createList(['p1'], true), ['p1']).kind).toBe('one');
    expect(resolveChannelProject(createList([], false), []).kind).toBe('none');
    expect(resolveChannelProject(createList([], true), []).kind).toBe('several');
  });
});
