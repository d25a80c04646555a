import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseJsonConfigFileContent, readConfigFile, sys } from 'typescript';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** Every source file has types in an editor, and is checked: it belongs to a project that `tsconfig.json` names. */

const root = join(import.meta.dirname, '..');
const solution = z.object({ references: z.array(z.object({ path: z.string() })) });

const filesOf = (path: string): string[] => {
  const file = path.endsWith('.json') ? join(root, path) : join(root, path, 'tsconfig.json');
  const { config } = readConfigFile(file, sys.readFile);
  const { fileNames } = parseJsonConfigFileContent(config, sys, dirname(file), undefined, file);
  return fileNames.map((name) => relative(root, name));
};

const { references } = solution.parse(readConfigFile(join(root, 'tsconfig.json'), sys.readFile).config);
const projects = new Map(references.map(({ path }) => [path, new Set(filesOf(path))]));
const sources = globSync('{assets,src,test,.config}/**/*.{ts,js,cjs}', { cwd: root });

/** Whose code or tests run in a browser. */
const BROWSER = /^(src\/emulators\/slack|test\/emulators)\/page\//;

describe('the projects that an editor reads', () => {
  test('are two, and the sources hundreds', () => {
    expect([...projects.keys()]).toEqual(['.config/tsconfig.node.json', 'src/emulators/slack/page']);
    expect(sources.length).toBeGreaterThan(500);
  });

  test('code for the browser and its tests have the types of the browser', () => {
    const page = projects.get('src/emulators/slack/page');
    expect(sources.filter((file) => BROWSER.test(file) && !page?.has(file))).toEqual([]);
  });

  test('everything else has those of Node.js, the tests and settings of tools included', () => {
    const node = projects.get('.config/tsconfig.node.json');
    expect(sources.filter((file) => !BROWSER.test(file) && !node?.has(file))).toEqual([]);
  });
});
