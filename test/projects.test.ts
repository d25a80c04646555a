import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseJsonConfigFileContent, readConfigFile, sys } from 'typescript';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

// Every source file must belong to a project in `tsconfig.json`, so that editors and the type check include the file.

const root = join(import.meta.dirname, '..');
const solution = z.object({ references: z.array(z.object({ path: z.string() })) });

const listFiles = (path: string): string[] => {
  const file = path.endsWith('.json') ? join(root, path) : join(root, path, 'tsconfig.json');
  const { config } = readConfigFile(file, sys.readFile);
  const { fileNames } = parseJsonConfigFileContent(config, sys, dirname(file), undefined, file);
  return fileNames.map((name) => relative(root, name));
};

/** Examples for apps of their own, which import the package by its name. They run as tests of their own. */
const EXAMPLES = /^packages\/slack-workspace\/examples\//;

const { references } = solution.parse(readConfigFile(join(root, 'tsconfig.json'), sys.readFile).config);
const projects = new Map(references.map(({ path }) => [path, new Set(listFiles(path))]));
const sources = globSync('{assets,packages,src,test,.config}/**/*.{ts,js,cjs}', { cwd: root }).filter(
  (file) => !EXAMPLES.test(file),
);

/** Files that run in a browser. */
const BROWSER = /^packages\/slack-workspace\/(src|test)\/page\//;

describe('the TypeScript projects', () => {
  test('there are two projects, for Node.js and for the browser', () => {
    expect([...projects.keys()]).toEqual(['.config/tsconfig.node.json', 'packages/slack-workspace/src/page']);
    expect(sources.length).toBeGreaterThan(500);
  });

  test('browser code and its tests have browser types', () => {
    const page = projects.get('packages/slack-workspace/src/page');
    expect(sources.filter((file) => BROWSER.test(file) && !page?.has(file))).toEqual([]);
  });

  test('all other files, such as tests and tool settings, have Node.js types', () => {
    const node = projects.get('.config/tsconfig.node.json');
    expect(sources.filter((file) => !BROWSER.test(file) && !node?.has(file))).toEqual([]);
  });
});
