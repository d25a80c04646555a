import { type ExecFileOptions, execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const MANIFEST = {
  display_information: { name: 'Greeter' },
  features: { slash_commands: [{ command: '/hello', description: 'Greets' }] },
  oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
};

const TYPED = `
  import { type Actor, startWorkspace, type Workspace } from 'slack-workspace-emulator';
  export async function greet(): Promise<string> {
    const workspace: Workspace = await startWorkspace({ manifest: {} });
    const ana: Actor = workspace.as('Ana');
    // @ts-expect-error: a person types a text.
    await ana.type(7);
    return ana.read();
  }
`;

let folder: string;
let installed: string;

const run = (command: string, args: readonly string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(command, [...args], { cwd: installed, ...options, encoding: 'utf8' });

/** Installs without a network: the dependencies are packed from this repository's node_modules. */
async function install(tarball: string): Promise<void> {
  const { stdout: text } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(text));
  const packages = Object.keys(dependencies).map((name) =>
    dirname(findPackageJSON(name, import.meta.url) ?? ''),
  );
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...packages];
  const { stdout: packed } = await run('npm', packing, { cwd: root });
  const files = z.array(z.object({ filename: z.string() })).parse(JSON.parse(packed));
  const tarballs = [tarball, ...files.map(({ filename }) => join(folder, filename))];
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  installed = join(folder, 'app');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(installed, 'manifest.json'), JSON.stringify(MANIFEST));
  const out = join(folder, 'new', 'folder');
  const { stdout } = await run(process.execPath, [join(root, 'build-package.ts'), '--out', out]);
  const [, tarball = ''] = /^(\S+\.tgz)\n$/.exec(String(stdout)) ?? [];
  await install(tarball);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the first test in the README runs on the installed package, with an app made with Bolt', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [app = '', firstTest = ''] = [...readme.matchAll(/```js\n([\s\S]+?)```/g)].map(
    ([, code = '']) => code,
  );
  writeFileSync(join(installed, 'app.test.mjs'), firstTest);
  writeFileSync(join(installed, 'app.mjs'), app);
  const bolt = dirname(findPackageJSON('@slack/bolt', import.meta.url) ?? '');
  symlinkSync(bolt, join(installed, 'node_modules/@slack/bolt'));
  const { stdout } = await run(process.execPath, ['--test']);
  expect(stdout).toContain('pass 1\n');
});

test('the documents of the package link only to its own files', () => {
  const folder = join(installed, 'node_modules/slack-workspace-emulator');
  for (const name of ['README.md', 'TESTING.md']) {
    const links = [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\((?!https:|#)([^)#]+)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, link = ''] of links) expect([link, existsSync(join(folder, link))]).toEqual([link, true]);
  }
});

test('the installed command explains itself, and prints what an app needs', async () => {
  const { stdout: usage } = await run('npx', ['--offline', 'slack-workspace', '--help']);
  expect(usage).toMatch(/^Usage: slack-workspace \[OPTIONS\]\n[\s\S]+--manifest FILE[\s\S]+--port NUMBER/);
  const wrong = run('npx', ['--offline', 'slack-workspace', '--port', 'many']);
  await expect(wrong).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--port must be a number up to 65535\n\nUsage/m),
  });
  const starting = execFile(process.execPath, ['node_modules/.bin/slack-workspace', '--port', '0'], {
    cwd: installed,
  });
  let output = '';
  starting.stdout?.on('data', (text: string) => {
    output += text;
  });
  await expect
    .poll(() => output)
    .toMatch(
      /SLACK_API_URL=\S+\n {2}SLACK_BOT_TOKEN=xoxb-\S+\n {2}SLACK_APP_TOKEN=[\s\S]+slackApiUrl: process/,
    );
  const [page = ''] = /http:\S+(?=\. To)/.exec(output) ?? [];
  for (const path of ['', '/page/app.js', '/page/vendor/preact.js', '/page/vendor/htm.js'])
    expect([path, (await fetch(`${page}${path}`)).status]).toEqual([path, 200]);
  const exit = new Promise((resolve) => starting.once('exit', resolve));
  starting.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(readFileSync(join(installed, '.slack-workspace', 'tokens.json'), 'utf8')).toContain('xoxb-');
});

test('an app in TypeScript gets the types of the installed package, without further packages', () => {
  const file = join(installed, 'typed.mts');
  writeFileSync(file, TYPED);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    // Some types mention Buffer, which comes with @types/node.
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
  });
  const faults = ts.getPreEmitDiagnostics(program);
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
