import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a JSON file about Slack from the folder in SLACK_FACTS. Undefined without that variable or that file. */
export function readSlackReference(name: string): unknown {
  const file = join(process.env.SLACK_FACTS ?? '', name);
  return process.env.SLACK_FACTS && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
