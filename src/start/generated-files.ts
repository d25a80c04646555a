import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { z } from 'zod';
import { features } from '../app/features.ts';
import { ALL_FONT_FILES } from '../digests/content/picture/drawing.ts';
import { type Catalogue, listNamedCommands, renderCommandName } from '../slack/catalogue.ts';
import { buildManifest } from '../slack/manifest.ts';
import { listOptionalScopes, listRequiredScopes } from '../slack/scopes.ts';
import { READINGS } from './describe-readings.ts';

const root = new URL('../../', import.meta.url);

/**
 * The generated files' contents by path: the client's types (from the OpenAPI document), the Slack app's manifest and
 * the README's tables (from the catalogue), the tables of phrases in the README of `when` (from the phrases of a test),
 * the practice workspace's names of emoji (from the list in assets), the widths of characters (from the fonts), and the
 * list of third-party packages (from package-lock.json).
 */
export async function generateFiles(): Promise<Readonly<Record<string, string>>> {
  // Imported here because it loads the TypeScript compiler.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const schema = astToString(await openapiTS(new URL('openapi/scheduling-service.yaml', root)));
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const whenReadme = await readFile(new URL('src/when/README.md', root), 'utf8');
  const phrases = await readFile(new URL('test/when/phrase-tables.json', root), 'utf8');
  const emoji = await readFile(new URL('assets/emoji/names.json', root), 'utf8');
  const lock = await readFile(new URL('package-lock.json', root), 'utf8');
  return {
    'src/api/schema.d.ts': schema,
    'manifest.yml': renderManifest(),
    'packages/slack-workspace/src/emoji/names.json': renderEmojiGroups(emoji),
    'assets/fonts/widths.json': await measureFonts(),
    'THIRD-PARTY.md': renderThirdParty(lock),
    'README.md': replaceSection(
      'scopes',
      replaceSection('commands', readme, renderCommandsTable(features)),
      renderScopesTable(),
    ),
    'src/when/README.md': replaceSection(
      'phrases',
      whenReadme,
      parsePhraseTables(phrases).map(renderTable).join('\n\n'),
    ),
  };
}

/** The manifest for Socket Mode; with `requestUrl`, the address of Slack's requests, for HTTP. */
export function renderManifest(options: Parameters<typeof buildManifest>[1] = {}): string {
  return stringify(buildManifest(features, options), { lineWidth: 0 });
}

async function measureFonts(): Promise<string> {
  const { measureFont } = await import('../../assets/fonts/measure-font.ts');
  const fonts = ALL_FONT_FILES.map(async (file) => measureFont(await readFile(file)));
  return `${JSON.stringify(await Promise.all(fonts), undefined, 2)}\n`;
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function replaceSection(name: string, text: string, table: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`the README has no place for ${open}`);
  return `${text.slice(0, start + open.length)}\n${table}\n${text.slice(end)}`;
}

function renderCommandsTable(catalogue: Catalogue): string {
  const rows = listNamedCommands(catalogue).map((command) =>
    renderRow([`\`${`${renderCommandName(command)} ${command.usage ?? ''}`.trim()}\``, command.summary]),
  );
  return [renderRow(['Command', '']), '|---|---|', ...rows].join('\n');
}

function renderScopesTable(): string {
  const required = Object.entries(listRequiredScopes(features)).map(([scope, reason]) =>
    renderRow([`\`${scope}\``, reason, 'required']),
  );
  const optional = Object.entries(listOptionalScopes(features)).map(([scope, { purpose, missingAbility }]) =>
    renderRow([`\`${scope}\``, purpose, `Upnext can't ${missingAbility}`]),
  );
  return [renderRow(['Scope', 'Why', 'Without it']), '|---|---|---|', ...required, ...optional].join('\n');
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      optional: z.boolean().default(false),
    }),
  ),
});

/** THIRD-PARTY.md, generated from package-lock.json: every package that `npm ci --omit=dev` installs. */
function renderThirdParty(lockText: string): string {
  const { packages } = lock.parse(JSON.parse(lockText));
  const shipped = Object.entries(packages)
    .filter(([path, { link, dev, devOptional }]) => path !== '' && !link && !dev && !devOptional)
    .map(([path, { version = '', license = '', optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, note: optional ? 'only on this platform' : '' };
    })
    .toSorted((a, b) => compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`));
  const rows = shipped.map(
    ({ name, version, license, note }) => `| ${name} | ${version} | ${license} | ${note} |`,
  );
  const licences = Map.groupBy(shipped, ({ license }) => license);
  const counts = [...licences]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, all]) => `${name} ${all.length}`);
  return [
    '# Third-party packages',
    '',
    'The packages that `npm ci --omit=dev` installs. `npm run generate` writes this list from `package-lock.json`. The licence text is in the folder of each package.',
    '',
    'The repository also contains the fonts in `assets/fonts/dejavu` and the list of emoji in `assets/emoji`, each with its licence.',
    '',
    `${shipped.length} packages: ${counts.join(', ')}.`,
    '',
    '| Package | Version | Licence | |',
    '|---|---|---|---|',
    ...new Set(rows),
    '',
  ].join('\n');
}

/** By code units, so that the order doesn't depend on the machine's locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const emojiFile = z.object({ source: z.string(), names: z.record(z.string(), z.string()) });

/** The emoji names of the practice workspace, grouped by how many skin tones they take, from the list in assets/emoji. */
function renderEmojiGroups(emojiJson: string): string {
  const { source, names } = emojiFile.parse(JSON.parse(emojiJson));
  const groups = Map.groupBy(Object.entries(names), ([, forms]) => forms.split(' ').length - 1);
  const join = (tones: number) => (groups.get(tones) ?? []).map(([emoji]) => emoji).join(' ');
  const file = {
    source,
    licence: 'MIT, in LICENSE beside this file',
    plain: join(0),
    toned: join(1),
    twoToned: join(2),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Phrases with their locale and answer, by topic. `as` is the kind of reading. */
const phraseTables = z.array(
  z.object({
    title: z.string(),
    as: z.enum(['moment', ...READINGS]),
    phrases: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
);

export function parsePhraseTables(json: string): z.infer<typeof phraseTables> {
  return phraseTables.parse(JSON.parse(json));
}

function renderTable({ title, phrases }: z.infer<typeof phraseTables>[number]): string {
  const rows = phrases.map(([locale, phrase, answer]) => `| \`${phrase}\` | ${locale} | ${answer} |`);
  return [`### ${title}`, '', '| Phrase | Locale | Answer |', '|---|---|---|', ...rows].join('\n');
}
