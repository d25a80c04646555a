import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON file of what Slack sent or published, out of the folder that SLACK_FACTS names; undefined without it. */
export function fromSlack(name: string): unknown {
  const file = join(process.env.SLACK_FACTS ?? '', name);
  return process.env.SLACK_FACTS && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
