import { expect, test } from 'vitest';
import { createBoltLogger } from '../../../src/slack/bolt/bolt.ts';

test('a file that Slack is still processing isn’t logged as an error, but other refusals are', () => {
  const lines: string[] = [];
  const record = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level}: ${message}`);
  const log = { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') };
  const logger = createBoltLogger(log);
  logger.error('invalid slack file [json-pointer:/blocks/1/slack_file]');
  logger.error('must be less than 25 characters [json-pointer:/view/title/text]');
  expect(lines).toEqual([
    'debug: invalid slack file [json-pointer:/blocks/1/slack_file]',
    'error: must be less than 25 characters [json-pointer:/view/title/text]',
  ]);
});
