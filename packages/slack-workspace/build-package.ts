import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/**
 * Builds an npm package for other projects, and prints the path of its tarball: Node.js runs no TypeScript of installed
 * packages. `--out FOLDER` is where to put it; defaults to a temporary folder.
 */

const root = import.meta.dirname;
const source = join(root, 'src');

/** Compiled files. Everything that they import comes with them. */
const ENTRIES = ['slack.ts', 'command/bin.ts', 'page/app.ts'];
/** Files that run as they are. */
const COPIED = ['page', 'emoji/names.json', 'emoji/LICENSE'];
const DOCUMENTS = ['README.md', 'TESTING.md', 'examples'];

const ownPackage = z.looseObject({ name: z.string() });

/** Copies a file or folder, without what is compiled, and what Python compiled there. */
function copy(from: string, to: string): void {
  const isCopied = (path: string) => !/\.ts$|^__pycache__$/.test(basename(path));
  cpSync(from, to, { recursive: true, filter: isCopied });
}

/** Copies the documentation, and changes its references to the rest of this repository. */
function copyDocuments(folder: string, name: string): void {
  for (const document of DOCUMENTS) copy(join(root, document), join(folder, document));
  replaceIn(join(folder, 'README.md'), /\.\.\/\.\.\/\.github\/([\w-]+\.png)/g, (_, picture) => {
    cpSync(join(root, '../../.github', picture), join(folder, 'pictures', picture));
    return `pictures/${picture}`;
  });
  for (const file of globSync(join(folder, 'examples/**/*.js')))
    replaceIn(file, /'(?:\.\.\/)+src\/slack\.ts'/g, () => `'${name}'`);
}

function replaceIn(file: string, pattern: RegExp, replace: (match: string, group: string) => string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, replace));
}

/**
 * Compiles the entries and what they import to JavaScript and declarations, with TypeScript 7, which takes a third of the
 * time of TypeScript 5. `npm run typecheck` checks the types.
 */
function compile(folder: string): void {
  const compiler = dirname(findPackageJSON('typescript-native', import.meta.url) ?? '');
  const config = {
    extends: join(root, '../../.config/tsconfig.node.json'),
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
      typeRoots: [join(compiler, '../@types')],
    },
    files: ENTRIES.map((entry) => join(source, entry)),
    include: [],
  };
  const path = join(folder, 'tsconfig.json');
  mkdirSync(folder);
  writeFileSync(path, JSON.stringify(config));
  // Its messages go to standard error, because standard output is the path of the tarball.
  execFileSync(process.execPath, [join(compiler, 'bin/tsc'), '-p', path], {
    stdio: ['ignore', 2, 'inherit'],
  });
  rmSync(path);
}

function buildPackage(folder: string, target: string): string {
  const {
    private: _,
    scripts: __,
    devDependencies: ___,
    ...fields
  } = ownPackage.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const dist = join(folder, 'dist');
  compile(dist);
  for (const path of COPIED) copy(join(source, path), join(dist, path));
  copyDocuments(folder, fields.name);
  cpSync(join(root, '../../LICENSE'), join(folder, 'LICENSE'));
  const built = {
    ...fields,
    bin: { 'slack-workspace': 'dist/command/bin.js' },
    exports: {
      '.': { types: './dist/slack.d.ts', default: './dist/slack.js' },
      './package.json': './package.json',
    },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(built, null, 2)}\n`);
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(output));
  return join(target, packed?.filename ?? '');
}

const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
const folder = mkdtempSync(join(tmpdir(), 'slack-workspace-'));
const target = resolve(out ?? folder);
mkdirSync(target, { recursive: true });
console.log(buildPackage(folder, target));
if (out !== undefined) rmSync(folder, { recursive: true });
