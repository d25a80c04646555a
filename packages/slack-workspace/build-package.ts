import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { fail } from '../../src/start/run.ts';
import { readArguments } from '../../src/start/usage.ts';

const USAGE = `Usage: npm run package-workspace [-- --out FOLDER]

Builds an npm package of the practice workspace, for tests of any Slack app, and prints the path of its tarball.

  --out FOLDER   where to put it; defaults to a temporary folder

Settings: none.

Example: npm run package-workspace -- --out .`;

const root = join(import.meta.dirname, '..', '..');
const source = join(import.meta.dirname, 'src');

/** Used if the app's project has it: it draws thumbnails. */
const OPTIONAL_PEER = '@resvg/resvg-js';

const NAME = 'slack-workspace-emulator';

const COMPILER = join(root, 'node_modules/typescript-native/bin/tsc');

/** Compiled files. Everything that they import comes with them. */
const ENTRIES = ['slack.ts', 'command/bin.ts'];
/** Files that run as they are. */
const COPIED = ['page', 'emoji/names.json', 'emoji/LICENSE'];
const DOCUMENTS = ['README.md', 'TESTING.md', 'examples'];
/** The command is no module to import types from. */
const TYPES = 'slack.d.ts';

const rootPackage = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

/** Copies a file or folder, without what Python compiled there. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== '__pycache__' });
}

/** Copies the documentation, and changes its references to the rest of this repository. */
function copyDocuments(folder: string): void {
  for (const name of DOCUMENTS) copy(join(import.meta.dirname, name), join(folder, name));
  replaceIn(join(folder, 'README.md'), /\.\.\/\.\.\/\.github\/([\w-]+\.png)/g, (_, picture) => {
    cpSync(join(root, '.github', picture), join(folder, 'pictures', picture));
    return `pictures/${picture}`;
  });
  for (const file of globSync(join(folder, 'examples/**/*.js')))
    replaceIn(file, /'(?:\.\.\/)+src\/slack\.ts'/g, () => `'${NAME}'`);
}

function replaceIn(file: string, pattern: RegExp, replace: (match: string, group: string) => string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, replace));
}

/**
 * Compiles the entries and what they import to JavaScript and declarations, with TypeScript 7, which takes a third of the
 * time of TypeScript 5. `npm run typecheck` checks the types.
 */
function compile(folder: string): void {
  const config = {
    extends: join(root, '.config/tsconfig.node.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      rootDir: source,
      outDir: folder,
      // The compiler would look for @types beside this configuration.
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: ENTRIES.map((entry) => join(source, entry)),
    include: [],
  };
  const path = join(folder, 'tsconfig.json');
  mkdirSync(folder);
  writeFileSync(path, JSON.stringify(config));
  // Its messages go to standard error, because standard output is the path of the tarball.
  execFileSync(process.execPath, [COMPILER, '-p', path], { stdio: ['ignore', 2, 'inherit'] });
  rmSync(path);
}

function findImports(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName);
}

/** Deletes the declarations that the public ones don't lead to, because they need further packages. */
function keepPublicTypes(folder: string): void {
  const kept = new Set<string>();
  const keep = (file: string): void => {
    if (kept.has(file)) return;
    kept.add(file);
    for (const imported of findImports(file))
      if (imported.startsWith('.')) keep(resolve(dirname(file), imported.replace(/\.[jt]s$/, '.d.ts')));
  };
  keep(join(folder, TYPES));
  for (const file of globSync(join(folder, '**/*.d.ts'))) if (!kept.has(file)) rmSync(file);
}

/** The packages that the files import, with the exact versions of this repository. */
function findDependencies(folder: string): Record<string, string> {
  const { dependencies } = readRootPackage();
  const imports = globSync(join(folder, '**/*.{js,ts}')).flatMap(findImports);
  const names = imports
    .filter((name) => !name.startsWith('.') && !name.startsWith('/') && !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  return Object.fromEntries(
    [...new Set(names)].toSorted().map((name) => {
      const version = dependencies[name];
      if (version === undefined) throw new Error(`${name} is imported and not a dependency of package.json`);
      return [name, version];
    }),
  );
}

function readRootPackage() {
  return rootPackage.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
}

function writePackageFile(folder: string): void {
  const { version, license, engines } = readRootPackage();
  const { [OPTIONAL_PEER]: peer, ...dependencies } = findDependencies(join(folder, 'dist'));
  const fields = {
    name: NAME,
    version,
    description: 'A local Slack workspace for developing and testing Slack apps',
    license,
    type: 'module',
    engines,
    bin: { 'slack-workspace': 'dist/command/bin.js' },
    exports: {
      '.': { types: `./dist/${TYPES}`, default: './dist/slack.js' },
      './package.json': './package.json',
    },
    dependencies,
    peerDependencies: { [OPTIONAL_PEER]: peer },
    peerDependenciesMeta: { [OPTIONAL_PEER]: { optional: true } },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
}

function packageWorkspace(): void {
  const { values } = readArguments(USAGE, { options: { out: { type: 'string' } } });
  const folder = mkdtempSync(join(tmpdir(), 'slack-workspace-'));
  const dist = join(folder, 'dist');
  compile(dist);
  keepPublicTypes(dist);
  for (const path of COPIED) copy(join(source, path), join(dist, path));
  copyDocuments(folder);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writePackageFile(folder);
  const target = resolve(values.out ?? folder);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const output = execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(output));
  console.log(join(target, packed?.filename ?? ''));
  if (values.out !== undefined) rmSync(folder, { recursive: true });
}

try {
  packageWorkspace();
} catch (error) {
  fail(error);
}
