import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** What every handler gets: it names no feature, so that features may import it. */
const HANDLER = ['app/call.ts', 'app/context.ts', 'app/feature.ts'];

/**
 * Who may import whom. What is not listed is forbidden; a rule that names a file allows that file alone, be it a door
 * or not. A room may
 * always import itself, except that a feature is a room of its own. `emulators` and PGlite are reached from entry
 * points alone, and only by a dynamic import, so that a process that needs no built-in part loads none.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  // PGlite in a thread without PGlite itself, and the fonts whose widths are generated.
  entry: ['*', 'store/pglite/threaded-pglite.ts', 'digests/content/picture/fonts.ts'],
  app: [
    'features',
    'slack',
    'access',
    'submissions',
    'digests',
    'delivery',
    'observability',
    'workspaces',
    'api',
    'store',
  ],
  features: [
    ...HANDLER,
    'api',
    'slack',
    'when',
    'posts',
    'forms',
    'submissions',
    'digests',
    'workspaces',
    'access',
    'delivery',
    'preferences',
    'store',
  ],
  forms: [...HANDLER, 'api', 'slack', 'when', 'posts', 'submissions', 'access', 'preferences', 'store'],
  workspaces: ['api', 'access', 'store', 'slack', 'delivery', 'submissions', 'digests', 'cache'],
  submissions: ['app/call.ts', 'store', 'api', 'access', 'slack', 'delivery'],
  digests: [
    'app/call.ts',
    'store',
    'api',
    'access',
    'slack',
    'posts',
    'when',
    'delivery',
    'preferences',
    'cache',
  ],
  delivery: ['store'],
  posts: ['app/call.ts', 'when', 'slack', 'api'],
  access: ['store', 'cache', 'slack/actor.ts', 'delivery/done-once.ts'],
  preferences: ['store', 'when'],
  slack: [...HANDLER, 'when', 'api/problems.ts'],
  api: ['cache'],
  when: [],
  // The types of the tables, for the type of the whole database.
  store: [
    'submissions/tables.ts',
    'digests/tables.ts',
    'delivery/tables.ts',
    'workspaces/tables.ts',
    'access/tables.ts',
    'preferences/tables.ts',
    'forms/tables.ts',
    'features/home/tables.ts',
    'app/tables.ts',
  ],
  cache: [],
  observability: [],
  config: [],
  'emulators/service': ['store/database.ts'],
  'emulators/slack': [],
};

/** A room that is one thing has one door, the file of its own name: when/when.ts. Others import that alone. */
const ONE_DOOR = ['access', 'cache', 'config', 'when', 'workspaces', 'emulators/service', 'emulators/slack'];

/**
 * Each file that lies in one of these folders is a door. What lies deeper is reached through the file of its folder's
 * own name: slack/bolt/bolt.ts.
 */
const MANY_DOORS = [
  'api',
  'app',
  'delivery',
  'delivery/sql',
  'digests',
  'digests/content',
  'digests/sql',
  'forms',
  'forms/inputs',
  'observability',
  'posts',
  'preferences',
  'slack',
  'store',
  'submissions',
  'submissions/text',
  'submissions/sql',
];

const ENTRY_POINTS = /^main\.ts$|^(?:cli|start)\//;

interface Import {
  from: string;
  to: string;
  dynamic: boolean;
  typeOnly: boolean;
}

function roomOf(file: string): string {
  if (ENTRY_POINTS.test(file)) return 'entry';
  const [first = '', second = ''] = file.split('/');
  return first === 'emulators' ? `emulators/${second}` : first;
}

function isDoor(file: string): boolean {
  const room = roomOf(file);
  const folder = dirname(file);
  if (ONE_DOOR.includes(room)) return file === `${room}/${basename(room)}.ts`;
  // What a feature lets out, it says by being registered.
  if (!MANY_DOORS.includes(room)) return true;
  return MANY_DOORS.includes(folder) || file === `${room}/${basename(folder)}/${basename(folder)}.ts`;
}

const isOptional = (file: string) => /^(?:emulators|store\/pglite)\//.test(file);

function importsOf(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, dynamic: boolean, typeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
    found.push({ from: file, to: join(dirname(file), specifier.text), dynamic, typeOnly });
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
  return found;
}

function faultOf({ from, to, dynamic, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  const target = roomOf(to);
  const allowed = MAY_IMPORT[room];
  if (!allowed) return `${from}: the room "${room}" is in no rule`;
  if (room === 'features' && target === 'features') {
    return from.split('/')[1] === to.split('/')[1] ? undefined : `${from} imports another feature, ${to}`;
  }
  if (isOptional(to) && !isOptional(from) && !dynamic && !typeOnly)
    return `${from} imports ${to} at once: built-in parts come by a dynamic import`;
  if (room === target) return undefined;
  if (!allowed.includes(to) && !isDoor(to)) return `${from} imports ${to}: it is no door of "${target}"`;
  if (room === 'entry') {
    return target === 'features' ? `${from} imports a feature, ${to}: app/ registers them` : undefined;
  }
  const listed = allowed.some((rule) => (rule.endsWith('.ts') ? to === rule : target === rule));
  return listed
    ? undefined
    : `${from} imports ${to}: "${room}" may import ${allowed.join(', ') || 'nothing of ours'}`;
}

/** Files that import each other, directly or around corners: the strongly connected components of two or more. */
function cyclesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  // Tarjan's algorithm: `low` is the earliest file on the stack that can be reached.
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    stack.push(file);
    let lowest = own;
    for (const to of targets.get(file) ?? []) {
      if (!index.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, low.get(to) ?? index.get(to) ?? own);
      low.set(file, lowest);
    }
    if (lowest < own) return lowest;
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
  .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ to }) => !relative('.', to).startsWith('..'));

describe('who may import whom', () => {
  test('every import in src is one that the house allows', () => {
    expect(imports.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('no file imports itself around corners, be it for a type alone', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  test('a cycle is found, and what only hangs on it is no part of it', () => {
    const lines = {
      'slack/a.ts': "import { b } from './b.ts';",
      'slack/b.ts': "export type { C } from './c.ts'; import { leaf } from './leaf.ts';",
      'slack/c.ts': "type A = import('./a.ts').A;",
      'slack/user.ts': "import { a } from './a.ts';",
    };
    const cycles = cyclesIn(Object.entries(lines).flatMap(([file, text]) => importsOf(file, text)));
    expect(cycles).toEqual([['slack/a.ts', 'slack/b.ts', 'slack/c.ts']]);
  });

  test('every file stands in a room that has a rule', () => {
    expect(files.length).toBeGreaterThan(0);
    const strangers = files.filter((file) => !file.endsWith('.cjs') && !MAY_IMPORT[roomOf(file)]);
    expect(strangers).toEqual([]);
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
    ['forms/open-form.ts', "import { x } from '../store/migrations/all.ts';"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/rules.ts';"],
    ['cli/service.ts', "const { x } = await import('../emulators/service/load-posts.ts');"],
    ['cli/when.ts', "import { x } from '../when/understand-moment.ts';"],
    ['posts/render-post.ts', "export type { X } from '../when/moment.ts';"],
    ['emulators/service/routes.ts', "import { x } from '../../api/client.ts';"],
    ['emulators/service/routes.ts', "import { x } from '../../store/submissions.ts';"],
    ['emulators/slack/page/app.js', "import { x } from '../../service/routes.ts';"],
  ])('%s may not: %s', (file, text) => {
    expect(importsOf(file, text).map(faultOf)).toEqual([expect.stringContaining(file)]);
  });

  test.each([
    ['features/help/help.ts', "import { x } from '../../slack/blocks.ts'; import { y } from './topics.ts';"],
    ['posts/render-post.ts', "import { x } from '../when/when.ts';"],
    ['app/app.ts', "import { x } from '../slack/bolt/bolt.ts';"],
    ['start/parts.ts', "const { x } = await import('../store/pglite/threaded-pglite.ts');"],
    ['features/digests/digest-form.ts', "import { x } from '../../posts/platform-rules/platform-rules.ts';"],
    ['store/schema.ts', "import type { X } from '../access/tables.ts';"],
    ['when/when.ts', "export { x } from './zones/wall-clock.ts';"],
    ['slack/errors.ts', "import type { X } from '../api/problems.ts';"],
    ['main.ts', "const { x } = await import('./store/pglite/pglite.ts');"],
    ['cli/service.ts', "const { x } = await import('../emulators/service/service.ts');"],
    ['start/parts.ts', "import type { X } from '../emulators/slack/slack.ts';"],
    ['emulators/service/storage.ts', "import { x } from '../../store/database.ts';"],
  ])('%s may: %s', (file, text) => {
    expect(importsOf(file, text).map(faultOf).filter(Boolean)).toEqual([]);
  });
});
