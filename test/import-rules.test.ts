import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/**
 * The floors of src, from the ground up. A module (a folder of src) imports only modules of lower floors, and those left
 * of it on its own floor. Each feature is a module of its own.
 */
const FLOORS = [
  [
    'budget.ts',
    'clients.ts',
    'count-buffers.ts',
    'durations.ts',
    'normalize-text.ts',
    'places.ts',
    'promises.ts',
    'slots.ts',
    'stranger-queries.ts',
    'text-limits.ts',
    'text-response.ts',
    'words.ts',
  ],
  ['store', 'cache', 'when'],
  ['engine', 'api', 'slack'],
  ['access', 'config', 'preferences', 'posts'],
  ['submissions'],
  ['media', 'publications', 'digests', 'held-posts', 'imports', 'workspaces', 'web'],
  ['handlers', 'forms', 'lists'],
  ['features'],
  ['observability', 'app'],
  ['start', 'cli', 'main.ts'],
];
const MODULES = FLOORS.flat();
const [GROUND = []] = FLOORS;

/** Modules that know less than their floor allows. Everybody may use the ground. */
const KNOWN_MODULES: Record<string, readonly string[]> = {
  // Knows no table.
  store: [],
  cache: [],
  observability: [],
  // Knows nothing of the app.
  when: [],
  // Knows no capability: src/app has the list of them.
  engine: ['store'],
};

/** Files that others import although they aren't public. The client of the PGlite thread doesn't load PGlite. */
const SHARED_FILES = [
  'access/roles.ts',
  'store/pglite/threaded-pglite.ts',
  // A command measures the widths of the fonts.
  'digests/content/picture/drawing.ts',
];

/** The public files of `when`: moments, and what not every reader of moments needs. */
const ENTRY_FILES_OF_WHEN = ['when', 'format-moment', 'range', 'recurrence', 'zones'].map(
  (name) => `when/${name}.ts`,
);

/** Modules with a single public file, which has the module's name, such as access/access.ts. */
const SINGLE_ENTRY_MODULES = ['access', 'cache', 'config', 'web', 'workspaces'];

/**
 * Folders whose direct files are all public. A deeper folder has a single public file, which has the folder's name, such
 * as handlers/bolt/bolt.ts.
 */
const PUBLIC_FOLDERS = [
  ...'api app engine engine/sql digests digests/content digests/messages digests/sql forms'.split(' '),
  ...'forms/inputs handlers observability posts preferences publications held-posts'.split(' '),
  ...'held-posts/hand-over held-posts/notices held-posts/review held-posts/series'.split(' '),
  ...'held-posts/slots held-posts/sql held-posts/text slack store'.split(' '),
  ...'submissions submissions/text submissions/sql'.split(' '),
];

const LOCAL_TIME = 'durations.ts';

/** The practice systems, each with the only file of src that imports it. */
const PRACTICE_SYSTEMS: Record<string, string> = {
  'scheduling-service-emulator': 'start/emulators.ts',
  'slack-workspace-emulator': 'start/emulators.ts',
};

interface Import {
  from: string;
  to: string;
  isDynamic: boolean;
  isTypeOnly: boolean;
}

function getModule(file: string): string {
  return file.split('/')[0] ?? '';
}

function isPublicFile(file: string): boolean {
  const module = getModule(file);
  const folder = dirname(file);
  if (module === 'when') return ENTRY_FILES_OF_WHEN.includes(file);
  if (SINGLE_ENTRY_MODULES.includes(module)) return file === `${module}/${basename(module)}.ts`;
  // All files of a module in neither list are public. Features have their own rule in `checkImport`.
  if (!PUBLIC_FOLDERS.includes(module)) return true;
  return PUBLIC_FOLDERS.includes(folder) || file === `${module}/${basename(folder)}/${basename(folder)}.ts`;
}

const isPracticeSystem = (to: string) => Object.keys(PRACTICE_SYSTEMS).some((name) => to.startsWith(name));

const isPGlite = (to: string) => to.startsWith('@electric-sql/');
const isOptional = (to: string) => to.startsWith('store/pglite/') || isPGlite(to);

/** Finds the imports of files, of the packages of this repository, and of PGlite. */
function findImports(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const foundImports: Import[] = [];
  const add = (specifier: ts.Node | undefined, isDynamic: boolean, isTypeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const isFile = specifier.text.startsWith('.');
    if (!isFile && !isPracticeSystem(specifier.text) && !isPGlite(specifier.text)) return;
    const to = isFile ? join(dirname(file), specifier.text) : specifier.text;
    foundImports.push({ from: file, to, isDynamic, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, false, node.importClause?.isTypeOnly ?? false);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, false, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, false, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], true, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return foundImports;
}

/** PGlite is imported only dynamically, so that a process without it doesn't load it. */
function checkImport({ from, to, isDynamic, isTypeOnly }: Import): string | undefined {
  if (GROUND.includes(to)) return undefined;
  if (isPracticeSystem(to))
    return PRACTICE_SYSTEMS[to] === from && (isDynamic || isTypeOnly)
      ? undefined
      : `${from} imports ${to}: only ${Object.values(PRACTICE_SYSTEMS).join(' and ')} may, dynamically`;
  // The fonts and the list of emoji have code beside them, with which they are generated.
  if (to.startsWith('../assets/')) return undefined;
  if (to.startsWith('..')) return `${from} imports ${to}, which is outside of src`;
  const [module, target] = [getModule(from), getModule(to)];
  if (module === 'features' && target === 'features')
    return from.split('/')[1] === to.split('/')[1] ? undefined : `${from} imports another feature, ${to}`;
  if (isOptional(to) && !isOptional(from) && !isDynamic && !isTypeOnly)
    return `${from} imports ${to} statically: built-in parts need a dynamic import`;
  if (module === target || isPGlite(to)) return undefined;
  if (!SHARED_FILES.includes(to) && !isPublicFile(to))
    return `${from} imports ${to}: it isn't a public file of "${target}"`;
  if (target === 'features' && module !== 'app') return `${from} imports a feature, ${to}: only app/ may`;
  const isAllowed =
    KNOWN_MODULES[module]?.includes(target) ?? MODULES.indexOf(target) < MODULES.indexOf(module);
  return isAllowed ? undefined : `${from} imports ${to}: "${module}" may not know "${target}"`;
}

/** Finds import cycles: the strongly connected components of two or more files. */
function findCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  // Tarjan's algorithm: `low` is the index of the earliest file on the stack that a file reaches.
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const ownIndex = index.size;
    index.set(file, ownIndex);
    stack.push(file);
    let lowest = ownIndex;
    for (const to of targets.get(file) ?? []) {
      if (!index.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, low.get(to) ?? index.get(to) ?? ownIndex);
      low.set(file, lowest);
    }
    if (lowest < ownIndex) return lowest;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) cycles.push(component.sort());
    return lowest;
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

const root = join(import.meta.dirname, '..', 'src');
const files = globSync('**/*.{ts,js,cjs}', { cwd: root }).filter((file) => !file.endsWith('.d.ts'));
const imports = files.flatMap((file) => findImports(file, readFileSync(join(root, file), 'utf8')));

describe('the import rules of the practice systems', () => {
  const folder = join(root, '..', 'packages');
  describe.each(readdirSync(folder))('packages/%s', (name) => {
    const packageFiles = globSync(`${name}/{*,{bench,src,test}/**/*}.{ts,js}`, { cwd: folder });
    const packageImports = packageFiles.flatMap((file) =>
      findImports(file, readFileSync(join(folder, file), 'utf8')),
    );

    test('the package imports nothing of the app or of another package', () => {
      expect(packageFiles.length).toBeGreaterThan(40);
      expect(packageImports.filter(({ to }) => !to.startsWith(`${name}/`) && !isPGlite(to))).toEqual([]);
    });

    test('no source files of the package import each other in a cycle', () => {
      const sources = packageImports.filter(({ from }) => from.startsWith(`${name}/src/`));
      expect(findCycles(sources)).toEqual([]);
    });
  });
});

describe('the import rules of src', () => {
  test('every import in src is allowed', () => {
    expect(imports.map(checkImport).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('nothing but the clock of the app, and durations, reads a time', () => {
    const ownFiles = files.filter((file) => file !== LOCAL_TIME);
    const readsTime = (file: string) =>
      /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8'));
    expect(ownFiles.filter(readsTime)).toEqual([]);
  });

  test('no files import each other in a cycle, not even for types', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  test('the client of the PGlite thread doesn’t load PGlite', () => {
    const loads = imports.filter(({ isDynamic, isTypeOnly }) => !isDynamic && !isTypeOnly);
    const loaded = new Set(['store/pglite/threaded-pglite.ts']);
    for (const file of loaded) for (const { from, to } of loads) if (from === file) loaded.add(to);
    expect(loads.filter(({ from, to }) => loaded.has(from) && isPGlite(to))).toEqual([]);
    // A control: others do load it.
    expect(loads.filter(({ to }) => isPGlite(to))).not.toEqual([]);
  });

  test('a reported cycle contains only the files of the cycle', () => {
    const lines = {
      'slack/a.ts': "import { b } from './b.ts';",
      'slack/b.ts': "export type { C } from './c.ts'; import { leaf } from './leaf.ts';",
      'slack/c.ts': "type A = import('./a.ts').A;",
      'slack/user.ts': "import { a } from './a.ts';",
    };
    const cycles = findCycles(Object.entries(lines).flatMap(([file, text]) => findImports(file, text)));
    expect(cycles).toEqual([['slack/a.ts', 'slack/b.ts', 'slack/c.ts']]);
  });

  test('every file is on a floor', () => {
    expect(files.length).toBeGreaterThan(0);
    const isPlaced = (file: string) => MODULES.includes(file.split('/')[0] ?? '');
    expect(files.filter((file) => !isPlaced(file))).toEqual([]);
  });

  test('ARCHITECTURE.md shows these floors', () => {
    const text = readFileSync(join(root, '../ARCHITECTURE.md'), 'utf8');
    const [, block = ''] = /those left of it on its own:\n\n```\n([\s\S]*?)\n```/.exec(text) ?? [];
    // Each line has a label of 15 characters, the modules, and perhaps a note after two spaces or more.
    const floors = block.split('\n').map((line) => line.slice(15).split(/ {2,}/)[0]?.split(' · '));
    expect(floors.toReversed()).toEqual(FLOORS);
  });

  test.each([
    ['features/help/help.ts', "import { x } from '../up-next/card.ts';"],
    ['features/help/help.ts', "export { x } from '../../observability/log.ts';"],
    ['store/database.ts', "const x = await import('../config/config.ts');"],
    ['main.ts', "import { x } from './store/pglite/threaded-pglite.ts';"],
    ['store/database.ts', "import {\n  PGlite,\n} from '@electric-sql/pglite';"],
    ['main.ts', "import { x } from './features/help/help.ts';"],
    ['features/roles/roles.ts', "import type { X } from '../../access/tables.ts';"],
    ['app/app.ts', "import { x } from '../handlers/bolt/calls.ts';"],
    ['slack/blocks.ts', "import type { X } from '../handlers/call.ts';"],
    ['posts/project.ts', "import { x } from '../submissions/save.ts';"],
    ['handlers/call.ts', "import type { X } from '../forms/form.ts';"],
    ['held-posts/hold.ts', "import { x } from '../workspaces/workspaces.ts';"],
    ['forms/create-form.ts', "import { x } from '../store/pglite/all.ts';"],
    ['engine/poll.ts', "import type { X } from '../submissions/tables.ts';"],
    ['store/database.ts', "import type { X } from '../engine/tables.ts';"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/rules.ts';"],
    ['cli/when.ts', "import { x } from '../when/understand-moment.ts';"],
    ['start/emulators.ts', "import { x } from 'scheduling-service-emulator';"],
    ['start/emulators.ts', "const { x } = await import('scheduling-service-emulator/test-support');"],
    [
      'start/emulators.ts',
      "const { x } = await import('../../packages/practice-service/src/load-posts.ts');",
    ],
    ['start/parts.ts', "import type { X } from 'slack-workspace-emulator';"],
    ['posts/post-card.ts', "export type { X } from '../when/moment.ts';"],
  ])('%s may not contain: %s', (file, text) => {
    expect(findImports(file, text).map(checkImport)).toEqual([expect.stringContaining(file)]);
  });

  test.each([
    ['features/help/help.ts', "import { x } from '../../slack/blocks.ts'; import { y } from './topics.ts';"],
    ['posts/post-card.ts', "import { x } from '../when/when.ts';"],
    ['posts/post-card.ts', "import { x } from '../when/range.ts';"],
    ['app/app.ts', "import { x } from '../handlers/bolt/bolt.ts';"],
    ['forms/form.ts', "import type { X } from '../handlers/call.ts';"],
    ['start/parts.ts', "const { x } = await import('../store/pglite/threaded-pglite.ts');"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/platform-rules.ts';"],
    ['handlers/schema.ts', "import type { X } from '../digests/tables.ts';"],
    ['store/pglite/pglite-session.ts', "import { PGlite } from '@electric-sql/pglite';"],
    ['store/database.ts', "import type { PGlite } from '@electric-sql/pglite';"],
    ['when/when.ts', "export { x } from './zones/wall-clock.ts';"],
    ['slack/errors.ts', "import type { X } from '../api/problems.ts';"],
    ['main.ts', "const { x } = await import('./store/pglite/threaded-pglite.ts');"],
    ['start/emulators.ts', "const { x } = await import('scheduling-service-emulator');"],
    ['start/emulators.ts', "import type { X } from 'slack-workspace-emulator';"],
  ])('%s may contain: %s', (file, text) => {
    expect(findImports(file, text).map(checkImport).filter(Boolean)).toEqual([]);
  });
});
