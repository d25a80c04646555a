import { expect, test } from 'vitest';
import { findRecordOptions } from '../../src/forms/inputs/searched.ts';
import { findProjectByChannelName, nameProjects, resolveProject } from '../../src/posts/project.ts';
import { limitText } from '../../src/text-limits.ts';
import { measureCpuMs } from '../support/cpu-ms.ts';
import { WORST_RECORDS } from '../support/worst-records.ts';

/** The kinds that take longest to normalize, match and segment. */
const KINDS = /^as many .*(?:eighteen|different marks|small letters|words|curly quotes|jamo letters|flags)$/;

/** Longer blocks would be noticed by others. A tenth of the time is usual, on a machine that does nothing else. */
const MAX_MS = 500;

test('a list of 4 MiB with the worst names is searched without a long block', () => {
  const slow = WORST_RECORDS.filter(({ name }) => KINDS.test(name)).flatMap(({ name, create }) => {
    const projects = create(2 ** 22, 'projects').map(({ Id, Name }) => ({
      id: String(Id),
      name: limitText(String(Name), 'name') ?? '',
    }));
    const list = { items: projects, isTruncated: false };
    const steps = {
      'a project in a typed line': () => resolveProject(list, [], 'a '.repeat(40_000)),
      'a project with the channel’s name': () => findProjectByChannelName(list, 'harbour'),
      'names of projects': () => nameProjects(projects),
      'options of a menu': () => findRecordOptions(list, { query: 'a b c', emptyText: '' }),
    };
    return Object.entries(steps).flatMap(([step, run]) => {
      // A second run tells slow work from a busy machine.
      const isSlow = [1, 2, 3].every(() => measureCpuMs(run) > MAX_MS);
      return isSlow ? [`${step}, ${name}`] : [];
    });
  });
  expect(slow).toEqual([]);
});
