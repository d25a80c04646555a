import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generatedFiles, manifestYaml } from '../start/generated-files.ts';
import { fail } from '../start/run.ts';
import { StartError } from '../start/start-error.ts';

/**
 * `npm run generate` writes what is generated; with `--url https://…` it prints the Slack app's manifest for HTTP, with
 * `--oauth` the one for many workspaces.
 */
async function generate(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, oauth: { type: 'boolean', default: false } },
  });
  if (values.oauth && values.url === undefined)
    throw new StartError('--oauth needs --url https://…, where people come back to from Slack');
  if (values.url === undefined) {
    for (const [path, text] of Object.entries(await generatedFiles())) {
      writeFileSync(new URL(`../../${path}`, import.meta.url), text);
    }
    return;
  }
  const url = URL.parse(values.url);
  if (url?.protocol !== 'https:')
    throw new StartError('--url must begin with https://, for Slack calls nothing else');
  console.log(manifestYaml({ requestUrl: new URL('/slack/events', url).href, isForMany: values.oauth }));
}

await generate().catch(fail);
