import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { emojiNames } from '../../assets/emoji/emoji-names.ts';
import { fail, failWithUsage, readArguments } from '../start/run.ts';

const USAGE = `Usage: npm run generate [-- --url URL [--oauth]]

Writes the API's types, manifest.yml and the other generated files. With --url, prints an app manifest instead.

  --url URL        prints the manifest for HTTP; URL is the app's public https:// address
  --oauth          with --url, prints the manifest for many workspaces
  --emoji FOLDER   writes the names of emoji from an unpacked emoji-datasource

Settings: none.

Example: npm run generate -- --url https://upnext.example.com`;

/**
 * `npm run generate` writes the generated files. With `--url https://…`, the command prints the app's manifest for HTTP
 * instead, and with `--oauth` the manifest for many workspaces. With `--emoji FOLDER`, the command writes the names of
 * emoji from an unpacked emoji-datasource. That package is not a dependency; assets/emoji/names.json explains how to
 * get it.
 */
async function generate(): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: {
      url: { type: 'string' },
      oauth: { type: 'boolean', default: false },
      emoji: { type: 'string' },
    },
  });
  if (values.oauth && values.url === undefined)
    failWithUsage(USAGE, '--oauth needs --url https://…, the public address of the app');
  if (values.emoji !== undefined) return writeEmojiNames(values.emoji);
  // Imported late, so that a wrong argument is reported at once.
  const { generateFiles, renderManifest } = await import('../start/generated-files.ts');
  if (values.url === undefined) {
    for (const [path, text] of Object.entries(await generateFiles())) {
      writeFileSync(new URL(`../../${path}`, import.meta.url), text);
    }
    return;
  }
  const url = URL.parse(values.url);
  if (url?.protocol !== 'https:')
    failWithUsage(USAGE, '--url must begin with https://, because Slack calls no other addresses');
  console.log(renderManifest({ requestUrl: new URL('/slack/events', url).href, isForMany: values.oauth }));
}

function writeEmojiNames(folder: string): void {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
  const file = new URL('../../assets/emoji/names.json', import.meta.url);
  writeFileSync(file, emojiNames(read('emoji.json'), version));
}

await generate().catch(fail);
