import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** Types of the call and the app context that every handler receives. They import no feature, so features may import them. */
const HANDLER_TYPES = ['app/call.ts', 'app/context.ts', 'app/feature.ts'];

/**
 * Allowed imports by module (a folder of src). Imports that aren't listed are forbidden. A rule that names a file allows
 * only that file, even if it isn't public. Files may always import their own module, but each feature is a separate
 * module. Only entry points may import `emulators` and PGlite, and only dynamically, so that a process without them
 * doesn't load them.
 */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  // The client of the PGlite thread doesn't load PGlite. A command measures the widths of the fonts.
  entry: ['*', 'store/pglite/threaded-pglite.ts', 'digests/content/picture/fonts.ts'],
  app: [
    'features',
    'slack',
    'access',
    'submissions',
    'digests',
    'publications',
    'held-posts',
    'engine',
    'observability',
    'workspaces',
    'api',
    'store',
    'forms/tables.ts',
  ],
  features: [
    ...HANDLER_TYPES,
    'api',
    'slack',
    'when',
    'posts',
    'forms',
    'submissions',
    'digests',
    'publications/publication-messages.ts',
    'held-posts',
    'workspaces',
    'access',
    'engine',
    'preferences',
    'store',
  ],
  forms: [...HANDLER_TYPES, 'api', 'slack', 'when', 'posts', 'submissions', 'access', 'preferences', 'store'],
  workspaces: ['api', 'access', 'store', 'slack', 'engine', 'digests', 'cache'],
  submissions: ['app/call.ts', 'store', 'api', 'access', 'slack', 'posts/post-status.ts', 'engine'],
  digests: [
    'app/call.ts',
    'store',
    'api',
    'access',
    'slack',
    'posts',
    'when',
    'engine',
    'preferences',
    'cache',
  ],
  publications: ['store', 'api', 'slack', 'posts', 'submissions', 'engine', 'preferences'],
  'held-posts': ['store', 'access', 'api', 'slack', 'posts', 'submissions', 'engine', 'preferences'],
  // Knows no capability: src/app has the list of them.
  engine: ['store'],
  posts: ['app/call.ts', 'when', 'slack', 'api'],
  access: ['store', 'cache', 'slack/actor.ts', 'engine/once-claim.ts', 'engine/tables.ts'],
  preferences: ['store', 'when', 'access/roles.ts', 'engine/tables.ts'],
  slack: [...HANDLER_TYPES, 'when', 'api/problems.ts'],
  api: ['cache'],
  when: [],
  // Knows no table.
  store: [],
  cache: [],
  observability: [],
  config: ['access/roles.ts'],
  'local-time.ts': [],
  'within.ts': [],
  'durations.ts': [],
  'emulators/service': [],
  'emulators/slack': [],
};

/** The public files of `when`: moments, and what not every reader of moments needs. */
const ENTRY_FILES_OF_WHEN = ['when/when.ts', 'when/range.ts', 'when/recurrence.ts', 'when/zones.ts'];

/** Modules with a single public file, which has the module's name, such as access/access.ts. */
const SINGLE_ENTRY_MODULES = [
  'access',
  'cache',
  'config',
  'workspaces',
  'emulators/service',
  'emulators/slack',
];

/**
 * Folders whose direct files are all public. A deeper folder has a single public file, which has the folder's name, such
 * as slack/bolt/bolt.ts.
 */
const PUBLIC_FOLDERS = [
  'api',
  'app',
  'engine',
  'engine/sql',
  'digests',
  'digests/content',
  'digests/sql',
  'forms',
  'forms/inputs',
  'observability',
  'posts',
  'preferences',
  'publications',
  'held-posts',
  'held-posts/review',
  'held-posts/sql',
  'held-posts/text',
  'slack',
  'store',
  'submissions',
  'submissions/text',
  'submissions/sql',
];

/** Durations and waiting need no module, so every module may use them. */
const LOCAL_TIME = 'local-time.ts';
const FOR_ALL = [LOCAL_TIME, 'within.ts', 'durations.ts'];

const ENTRY_POINTS = /^main\.ts$|^(?:cli|start)\//;

interface Import {
  from: string;
  to: string;
  isDynamic: boolean;
  isTypeOnly: boolean;
}

function getModule(file: string): string {
  if (ENTRY_POINTS.test(file)) return 'entry';
  const [first = '', second = ''] = file.split('/');
  return first === 'emulators' ? `emulators/${second}` : first;
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

const isOptional = (file: string) => /^(?:emulators|store\/pglite)\//.test(file);

function findImports(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const foundImports: Import[] = [];
  const add = (specifier: ts.Node | undefined, isDynamic: boolean, isTypeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
    foundImports.push({ from: file, to: join(dirname(file), specifier.text), isDynamic, isTypeOnly });
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

function checkImport({ from, to, isDynamic, isTypeOnly }: Import): string | undefined {
  if (FOR_ALL.includes(to)) return undefined;
  const module = getModule(from);
  const target = getModule(to);
  const allowed = ALLOWED_IMPORTS[module];
  if (!allowed) return `${from}: the module "${module}" has no rule`;
  if (module === 'features' && target === 'features') {
    return from.split('/')[1] === to.split('/')[1] ? undefined : `${from} imports another feature, ${to}`;
  }
  if (isOptional(to) && !isOptional(from) && !isDynamic && !isTypeOnly)
    return `${from} imports ${to} statically: built-in parts need a dynamic import`;
  if (module === target) return undefined;
  if (!allowed.includes(to) && !isPublicFile(to))
    return `${from} imports ${to}: it isn't a public file of "${target}"`;
  if (module === 'entry') {
    return target === 'features' ? `${from} imports a feature, ${to}: only app/ may` : undefined;
  }
  const isListed = allowed.some((rule) => (rule.endsWith('.ts') ? to === rule : target === rule));
  return isListed
    ? undefined
    : `${from} imports ${to}: "${module}" may import ${allowed.join(', ') || 'no other module'}`;
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
const imports = files
  .flatMap((file) => findImports(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ to }) => !relative('.', to).startsWith('..'));

describe('the import rules of src', () => {
  test('every import in src is allowed', () => {
    expect(imports.map(checkImport).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('nothing but the clock of the app, and durations, reads a time', () => {
    // The practice systems have clocks of their own, as Slack and a service do.
    const ownFiles = files.filter((file) => file !== LOCAL_TIME && !file.startsWith('emulators/'));
    const readsTime = (file: string) =>
      /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8'));
    expect(ownFiles.filter(readsTime)).toEqual([]);
  });

  test('no files import each other in a cycle, not even for types', () => {
    expect(findCycles(imports)).toEqual([]);
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

  test('every file is in a module that has a rule', () => {
    expect(files.length).toBeGreaterThan(0);
    const unlistedFiles = files.filter((file) => !file.endsWith('.cjs') && !ALLOWED_IMPORTS[getModule(file)]);
    expect(unlistedFiles).toEqual([]);
  });

  test.each([
    ['features/help/help.ts', "import { x } from '../up-next/card.ts';"],
    ['features/help/help.ts', "export { x } from '../../observability/log.ts';"],
    ['slack/audience.ts', "import type { X } from '../api/client.ts';"],
    ['store/database.ts', "const x = await import('../config/config.ts');"],
    ['main.ts', "import { x } from './store/pglite/pglite.ts';"],
    ['main.ts', "import { x } from './features/help/help.ts';"],
    ['features/roles/roles.ts', "import type { X } from '../../access/roles.ts';"],
    ['features/roles/roles.ts', "import type { X } from '../../access/tables.ts';"],
    ['app/app.ts', "import { x } from '../slack/bolt/router.ts';"],
    ['forms/create-form.ts', "import { x } from '../store/pglite/all.ts';"],
    ['engine/poll.ts', "import type { X } from '../submissions/tables.ts';"],
    ['store/database.ts', "import type { X } from '../engine/tables.ts';"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/rules.ts';"],
    ['cli/service.ts', "const { x } = await import('../emulators/service/load-posts.ts');"],
    ['cli/when.ts', "import { x } from '../when/understand-moment.ts';"],
    ['posts/post-card.ts', "export type { X } from '../when/moment.ts';"],
    ['emulators/service/routes.ts', "import { x } from '../../api/client.ts';"],
    ['emulators/service/routes.ts', "import { x } from '../../store/database.ts';"],
    ['emulators/slack/page/app.js', "import { x } from '../../service/routes.ts';"],
  ])('%s may not contain: %s', (file, text) => {
    expect(findImports(file, text).map(checkImport)).toEqual([expect.stringContaining(file)]);
  });

  test.each([
    ['features/help/help.ts', "import { x } from '../../slack/blocks.ts'; import { y } from './topics.ts';"],
    ['posts/post-card.ts', "import { x } from '../when/when.ts';"],
    ['posts/post-card.ts', "import { x } from '../when/range.ts';"],
    ['app/app.ts', "import { x } from '../slack/bolt/bolt.ts';"],
    ['start/parts.ts', "const { x } = await import('../store/pglite/threaded-pglite.ts');"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/platform-rules.ts';"],
    ['app/schema.ts', "import type { X } from '../digests/tables.ts';"],
    ['when/when.ts', "export { x } from './zones/wall-clock.ts';"],
    ['slack/errors.ts', "import type { X } from '../api/problems.ts';"],
    ['main.ts', "const { x } = await import('./store/pglite/pglite.ts');"],
    ['cli/service.ts', "const { x } = await import('../emulators/service/service.ts');"],
    ['start/parts.ts', "import type { X } from '../emulators/slack/slack.ts';"],
  ])('%s may contain: %s', (file, text) => {
    expect(findImports(file, text).map(checkImport).filter(Boolean)).toEqual([]);
  });
});
