import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from './answer.ts';

/** Imports and exports of the page's modules have only these forms, each at the start of a line. */
const IMPORT = /^import (\w+|\{[^}]*\}) from '([^']+)';\n/gm;
const EXPORT = /^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm;

/** TypeScript in this repository, like this module, and JavaScript in the npm package. */
const MODULE_TYPE = extname(import.meta.filename);

async function readModule(url: URL): Promise<string> {
  const source = await readFile(url, 'utf8');
  if (MODULE_TYPE === '.js') return source;
  // Node.js would warn that this function may still change.
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Puts a module and all modules that it imports into one script, because a browser loads one file sooner than eighty.
 * Each module becomes a function that returns its exports. Packages are still imported.
 */
async function bundlePage(entry: URL): Promise<string> {
  const names = new Map<string, string>();
  const imports: string[] = [];
  const modules: string[] = [];

  const addPackage = (specifier: string): string => {
    const known = names.get(specifier);
    if (known !== undefined) return known;
    const name = `package${names.size}`;
    names.set(specifier, name);
    imports.push(`import * as ${name} from '${specifier}';`);
    return name;
  };

  const addModule = async (url: URL): Promise<string> => {
    const known = names.get(url.pathname);
    if (known !== undefined) return known;
    const name = `module${names.size}`;
    names.set(url.pathname, name);
    const source = await readModule(url);
    const bindings: string[] = [];
    for (const [, binding = '', specifier = ''] of source.matchAll(IMPORT)) {
      const isOwn = specifier.startsWith('.');
      const imported = isOwn ? await addModule(new URL(specifier, url)) : addPackage(specifier);
      const isDefault = !binding.startsWith('{');
      bindings.push(`const ${binding.replaceAll(' as ', ': ')} = ${imported}${isDefault ? '.default' : ''};`);
    }
    const exported = [...source.matchAll(EXPORT)].map(([, exportedName]) => exportedName);
    const body = source.replaceAll(IMPORT, '').replaceAll(EXPORT, '');
    const parts = [...bindings, body, `return { ${exported.join(', ')} };`];
    modules.push(
      `// ${url.href.slice(new URL('./', entry).href.length)}\nconst ${name} = (() => {\n${parts.join('\n')}\n})();`,
    );
    return name;
  };

  await addModule(entry);
  return [...imports, ...modules].join('\n');
}

const PAGE = new URL('../page/', import.meta.url);

/** The packages of the page's import map. */
const PACKAGES = new Map([
  ['vendor/preact.js', 'preact'],
  ['vendor/preact-hooks.js', 'preact/hooks'],
  ['vendor/htm.js', 'htm'],
]);

/** A font for systems without emoji. */
const EMOJI_FONT = 'vendor/emoji.woff2';

const TYPES = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
]);

function buildContentSecurityPolicy(nonce: string, host: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    // In some browsers, 'self' doesn't include WebSockets.
    `connect-src 'self' ws://${host}`,
    // Slack itself fetches pictures. An app on this machine serves its own without TLS.
    "img-src 'self' https: http://127.0.0.1:* http://localhost:* data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** `GET /`: index.html, with a new nonce for the import map. */
export async function serveIndex(response: ServerResponse, host: string): Promise<void> {
  const html = await readFile(new URL('index.html', PAGE), 'utf8');
  const nonce = randomBytes(16).toString('base64');
  answer(response, 200, html.replaceAll('__NONCE__', nonce), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': buildContentSecurityPolicy(nonce, host),
    'X-Frame-Options': 'DENY',
  });
}

function findFile(path: string): string | undefined {
  const vendor = PACKAGES.get(path);
  if (vendor !== undefined) return fileURLToPath(import.meta.resolve(vendor));
  if (path === EMOJI_FONT) return findEmojiFont();
  // No part of the path starts with a dot, so it can't leave the folder.
  return /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path) ? fileURLToPath(new URL(path, PAGE)) : undefined;
}

/** Returns undefined in production, without the package. Emoji then need a font of the system. */
function findEmojiFont(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve('twemoji-colr-font/twemoji.woff2'));
  } catch {
    return undefined;
  }
}

const SCRIPT = 'app.js';

/** The time of the newest change of a module, in ms. In the npm package, where modules don't change, always 0. */
async function findLastChange(): Promise<number> {
  if (MODULE_TYPE === '.js') return 0;
  const folder = new URL('../', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) === MODULE_TYPE);
  const files = await Promise.all(names.map((name) => stat(new URL(name, folder))));
  return Math.max(...files.map(({ mtimeMs }) => mtimeMs));
}

let bundled: { script: Promise<string>; changedAt: number } | undefined;

/**
 * Bundles the page's script, and returns the same script until a module changes. Removing the types from the modules of
 * the repository takes a tenth of a second.
 */
export async function bundleScript(): Promise<string> {
  const changedAt = await findLastChange();
  if (bundled?.changedAt !== changedAt)
    bundled = { changedAt, script: bundlePage(new URL(`app${MODULE_TYPE}`, PAGE)) };
  const { script } = bundled;
  script.catch(() => {
    // The next request tries again.
    if (bundled?.script === script) bundled = undefined;
  });
  return script;
}

/** The style sheet that imports all others, by their paths from its own folder. */
const STYLE_SHEET = 'style.css';

/** Replaces the imports of STYLE_SHEET with the text of their files, because a browser loads one file sooner than many. */
async function inlineImports(styleSheet: string): Promise<string> {
  const parts = styleSheet.split(/^@import\s"([\w/-]+\.css)";$/m);
  // The odd ones are the captured paths.
  const texts = parts.map(async (part, index) =>
    index % 2 === 0 ? part : readFile(new URL(part, PAGE), 'utf8'),
  );
  return (await Promise.all(texts)).join('');
}

/** `GET /page/…`. Returns false if there is no such file. */
export async function servePageFile(response: ServerResponse, path: string): Promise<boolean> {
  const file = findFile(path);
  const type = TYPES.get(extname(path));
  if (file === undefined || type === undefined) return false;
  const content = path === SCRIPT ? await bundleScript() : await readFile(file).catch(() => undefined);
  if (!content) return false;
  const body = path === STYLE_SHEET ? await inlineImports(content.toString()) : content;
  answer(response, 200, body, { 'Content-Type': type, 'Cache-Control': 'no-cache' });
  return true;
}
