import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIFECYCLE as DIGESTS } from '../src/digests/lifecycle.ts';
import { LIFECYCLE as SUBMISSIONS } from '../src/submissions/lifecycle.ts';

const root = join(import.meta.dirname, '..');

/** Files and folders of the project, as documents name them in code or link to them. */
const PATH =
  /(?:`|\]\()((?:(?:src|test|openapi|\.ci|\.github|\.config)(?:\/[\w./-]*)?|[\w.-]+\.(?:md|yml|json)))(?:#[\w-]+)?[`)]/g;

/** Those that the worked example makes. */
const MADE = ['src/features/hello/hello.ts', 'test/features/hello/hello.test.ts'];

function pathsIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !MADE.includes(path));
}

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (document) => {
  test('names files, several of them', () => {
    expect(pathsIn(document).length).toBeGreaterThan(5);
  });

  test('every file and folder that it names is there', () => {
    expect(pathsIn(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('every script that it names is there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = readFileSync(join(root, document), 'utf8').matchAll(/npm run ([\w:-]+)/g);
    expect([...named].map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('every state of every lifecycle has its paragraph', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = (title: string) => text.split(`### ${title}\n`)[1]?.split(/^#/m)[0] ?? '';
  const described = (title: string) =>
    [...section(title).matchAll(/^\*\*([\w-]+)\.\*\* /gm)].map(([, state = '']) => state).toSorted();
  expect(described('Submissions')).toEqual(Object.keys(SUBMISSIONS).toSorted());
  expect(described('Digest occurrences')).toEqual(Object.keys(DIGESTS).toSorted());
});
