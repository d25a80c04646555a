import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../src/app/capabilities.ts';

const root = join(import.meta.dirname, '..');

/** Files and folders of the project, as documents name them in code or link to them. */
const PATH =
  /(?:`|\]\()((?:(?:src|test|packages|openapi|\.ci|\.github|\.config)(?:\/[\w./-]*)?|[\w.-]+\.(?:md|yml|json)))(?:#[\w-]+)?[`)]/g;

/** Files that readers create in the worked example of CONTRIBUTING.md. */
const EXAMPLE_FILES = ['src/features/wave/wave.ts', 'test/features/wave/wave.test.ts'];

function findPaths(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(PATH)]
    .map(([, path = '']) => path)
    .filter((path) => !EXAMPLE_FILES.includes(path));
}

/** The anchors of a page's headings, as GitHub builds them. */
const listAnchors = (markdown: string) =>
  [...markdown.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe.each(['README.md', 'OPERATING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])(
  '%s',
  (document) => {
    test('every file and folder in the document exists', () => {
      const paths = findPaths(document);
      expect(paths.length).toBeGreaterThan(3);
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    });

    test('every link in the document leads to a file, and to a heading if it names one', () => {
      const text = readFileSync(join(root, document), 'utf8');
      const links = [...text.matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g)];
      expect(links.length).toBeGreaterThan(10);
      const broken = links.filter(([, path = '', anchor]) => {
        const file = join(root, path || document);
        return (
          !existsSync(file) ||
          (anchor !== undefined && !listAnchors(readFileSync(file, 'utf8')).includes(anchor))
        );
      });
      expect(broken.map(([match]) => match)).toEqual([]);
    });

    test('every npm script in the document exists', () => {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const names = readFileSync(join(root, document), 'utf8').matchAll(/npm run (?:--silent )?([\w:-]+)/g);
      expect([...names].map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
    });
  },
);

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (document) => {
  test('what the document names right before a linked file is declared there', () => {
    const text = readFileSync(join(root, document), 'utf8');
    const named = [...text.matchAll(/`(\w+)`(?:,? in| of)? \(?\[`[\w./-]+`\]\(([\w./-]+\.ts)\)/g)];
    expect(named.length).toBeGreaterThan(0);
    const missing = named.filter(([, name, path = '']) => {
      const statement = `(?:export )?(?:async )?(?:function|const|class|interface|type) ${name}\\b`;
      const member = `\\s+(?:async )?${name}\\??[(:]`;
      const declaration = new RegExp(`^(?:${statement}|${member})|create index ${name}\\b`, 'm');
      return !declaration.test(readFileSync(join(root, path), 'utf8'));
    });
    expect(missing.map(([match]) => match)).toEqual([]);
  });
});

/** The code in a section of CONTRIBUTING.md. */
function readBlocks(title: string): string[] {
  const sections = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/^## /m);
  const text = sections.find((section) => section.startsWith(title)) ?? '';
  return [...text.matchAll(/^ {3}```ts\n(.*?)^ {3}```$/gms)].map(([, block = '']) =>
    block.replaceAll(/^ {3}/gm, ''),
  );
}

const readExample = (name: string) => readFileSync(join(root, 'test/contributing', name), 'utf8');

test('CONTRIBUTING.md shows an example of a command that compiles', () => {
  // The example's own files are one folder further up.
  expect(readBlocks('Add a command')).toEqual([
    readExample('wave.ts').replaceAll('../../src/', '../../'),
    readExample('wave-test.ts').replaceAll('../support/', '../../support/'),
  ]);
});

test('CONTRIBUTING.md shows an example of a field that compiles', () => {
  const example = readExample('comment-field.ts').replaceAll(/^ {2}/gm, '');
  const blocks = readBlocks('Add a text field of a post');
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(example).toContain(block);
});

test('every file and folder that the README of `when` links to exists', () => {
  const folder = join(root, 'src/when');
  const links = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([\w./-]+)\)/g);
  const paths = [...links].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

test.each(CAPABILITIES)(
  'ARCHITECTURE.md links to the file of $name, which describes every state in a paragraph',
  ({ name, lifecycle }) => {
    const title = name === 'digests' ? 'digest occurrences' : name;
    const sections = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split(/^#+ /m);
    const section = sections.find((text) => text.toLowerCase().startsWith(`${title}\n`)) ?? '';
    const [, file = ''] = section.match(/^\[`[\w/.-]+`\]\(([\w/.-]+)\)$/m) ?? [];
    const text = readFileSync(join(root, file), 'utf8');
    const states = [...text.matchAll(/^ \*\n \* `([\w-]+)`: /gm)].map(([, state = '']) => state);
    expect(states.toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  },
);
