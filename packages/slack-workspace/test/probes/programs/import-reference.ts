import { readFileSync } from 'node:fs';
import { getRecord, getString, getStrings, isRecord, type Json } from '../../../src/json.ts';
import { METHODS } from '../../../src/web-api/methods.ts';
import { writeFacts } from '../../write-facts.ts';

/**
 * Writes reference.json: facts from Slack's method reference, as github.com/slack-ruby/slack-api-ref stores it from
 * docs.slack.dev. The first argument is a checkout of that repository, the second its date:
 *
 *   node packages/slack-workspace/test/probes/programs/import-reference.ts ../slack-api-ref 2026-08-20
 */
const [checkout = '', date = ''] = process.argv.slice(2);

/** Methods of AI apps and workflow steps, whether or not the emulator has them already. */
const OTHERS = [
  'apps.connections.open',
  'assistant.threads.setStatus',
  'assistant.threads.setSuggestedPrompts',
  'assistant.threads.setTitle',
  'blocks.validate',
  'chat.appendStream',
  'chat.startStream',
  'chat.stopStream',
  'functions.completeError',
  'functions.completeSuccess',
];

const readJson = (path: string): Json => {
  const value: unknown = JSON.parse(readFileSync(`${checkout}/${path}`, 'utf8'));
  if (!isRecord(value)) throw new Error(`${path} has no object`);
  return value;
};

/** `channel:channel!`: the name, the type or what Slack calls its subtype, and a mark if it's required. */
function describeArgument(name: string, argument: Json, required: readonly string[]): string {
  const options = [argument.anyOf, argument.allOf].find(Array.isArray)?.filter(isRecord) ?? [argument];
  const types = [argument, ...options].flatMap((one) => [
    getString(one, 'subtype'),
    getString(one, 'schema'),
  ]);
  const plain = options
    .map((one) => getString(one, 'type'))
    .find((type) => type !== undefined && type !== 'null');
  return `${name}:${types.find((type) => type !== undefined) ?? plain ?? 'object'}${required.includes(name) ? '!' : ''}`;
}

function describeMethod(method: string): Json {
  const page = readJson(`docs.slack.dev/methods/${method}.json`);
  const all = getRecord(page, 'args') ?? {};
  const required = getStrings(all, 'required');
  const entries = Object.entries(getRecord(all, 'properties') ?? {}).filter(([name]) => name !== 'token');
  const tier = getString(page, 'rate_limits')?.slice(1);
  return {
    access: page.http_method,
    takesJson: page.json_input_supported === true,
    // The fifth is called "special" on the pages.
    ...(tier === undefined ? {} : { tier: tier === '5' ? 'special' : Number(tier) }),
    scopes: getStrings(getRecord(page, 'scope') ?? {}, 'bot')
      .toSorted()
      .join(' '),
    arguments: entries
      .map(([name, argument]) => (isRecord(argument) ? describeArgument(name, argument, required) : name))
      .join(' '),
    errors: Object.keys(getRecord(page, 'errors') ?? {}).join(' '),
  };
}

const methods = [...new Set([...METHODS.keys(), ...OTHERS])].toSorted();
const reference = {
  source: 'docs.slack.dev/reference/methods, from github.com/slack-ruby/slack-api-ref',
  date,
  commonErrors: Object.keys(getRecord(readJson('methods/_errors/common.json'), 'errors') ?? {}).join(' '),
  methods: Object.fromEntries(methods.map((method) => [method, describeMethod(method)])),
};
writeFacts(new URL('../reference.json', import.meta.url), reference);
