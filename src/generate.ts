import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generatedFiles, manifestYaml } from './start/generated-files.ts';
import { fail } from './start/run.ts';
import { StartError } from './start/start-error.ts';

/** `npm run generate` writes what is generated; with `--url https://…` it prints the Slack app's manifest for HTTP. */
async function generate(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  if (values.url === undefined) {
    for (const [path, text] of Object.entries(await generatedFiles())) {
      writeFileSync(new URL(`../${path}`, import.meta.url), text);
    }
    return;
  }
  const url = URL.parse(values.url);
  if (url?.protocol !== 'https:')
    throw new StartError('--url must begin with https://, for Slack calls nothing else');
  console.log(manifestYaml(new URL('/slack/events', url).href));
}

await generate().catch(fail);
