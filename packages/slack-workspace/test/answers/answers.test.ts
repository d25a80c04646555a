import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectPayloads, PAYLOADS } from '../collect-payloads.ts';
import { VALID_CALLS } from '../probes/valid-calls.ts';
import { startWorld, type World } from '../probes/world.ts';
import { EXTRA_KEYS } from './extra-keys.ts';
import { addKeyPaths, findMissing, type KeyPaths } from './key-paths.ts';
import { OMITTED_KEYS } from './omitted-keys.ts';
import { DOCUMENTED_ANSWERS, findRecordedKeys, RECORDED_EVENTS } from './recorded.ts';

function isOmitted(name: string, fault: string): boolean {
  return OMITTED_KEYS.some(([names, keys]) => names.test(name) && keys.test(fault));
}

function findFaults(name: string, example: Record<string, unknown>, ours: unknown): string[] {
  return findMissing(example, ours).filter((fault) => !isOmitted(name, fault));
}

function listKeys(name: string, value: unknown): KeyPaths {
  const paths: KeyPaths = new Map();
  addKeyPaths(paths, name, value);
  return paths;
}

/** Keys that neither a recording nor the table of extra keys has, or only with another kind. */
function findKeysWithoutSource(name: string, value: unknown): string[] {
  return [...listKeys(name, value)].flatMap(([object, keys]) => {
    const recorded = findRecordedKeys(object);
    const sources = EXTRA_KEYS.filter(([objects]) => objects.test(object));
    const found = [...keys].flatMap(([path, kinds]) => [...kinds].map((kind) => `${path} ${kind}`));
    return found
      .filter((key) => !recorded.has(key) && !sources.some(([, extra]) => extra.test(key)))
      .map((key) => `${object}: ${key}`);
  });
}

/** Keys of the recordings that ours lack. Those of messages, files and blocks depend on their content. */
function findMissingKeys(name: string, value: unknown): string[] {
  const objects = [...listKeys(name, value)].filter(([object]) =>
    [name, 'view', 'bot_profile'].includes(object),
  );
  return objects.flatMap(([object, keys]) => {
    const missing = [...findRecordedKeys(object)].filter(
      (key) => !keys.has(key.slice(0, key.lastIndexOf(' '))),
    );
    const faults = missing.map((key) => key.replace(/ (?=\w+$)/, ': nothing instead of '));
    return faults.filter((fault) => !isOmitted(object, fault)).map((fault) => `${object}: ${fault}`);
  });
}

describe('the answers of Slack', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  describe.each(Object.keys(VALID_CALLS))('%s', (method) => {
    let answer: Record<string, unknown>;
    beforeAll(async () => {
      answer = await world.call(method, await VALID_CALLS[method]?.(world));
    });

    it('the answer has every documented key', () => {
      expect(findFaults(method, DOCUMENTED_ANSWERS[method] ?? {}, answer)).toEqual([]);
    });

    it('every key of the answer was recorded of Slack, or has another source', () => {
      expect(findKeysWithoutSource(method, answer)).toEqual([]);
    });
  });
});

describe('the payloads of Slack', () => {
  let payloads: Map<string, Record<string, unknown>>;
  beforeAll(async () => {
    payloads = await collectPayloads('http');
  });

  // Only the app of an organisation hears of its workspaces (organisation.test.ts).
  const types = Object.keys(RECORDED_EVENTS).filter((type) => !type.startsWith('team_access_'));
  it.each(types)('the event has every recorded key: %s', (type) => {
    const event = payloads.get(`event ${type}`)?.event;
    expect(findFaults(`event ${type}`, RECORDED_EVENTS[type] ?? {}, event)).toEqual([]);
  });

  it.each(PAYLOADS)('every key was recorded of Slack, or has another source: %s', (name) => {
    expect(findKeysWithoutSource(name, payloads.get(name))).toEqual([]);
  });

  it.each(PAYLOADS.filter((name) => !name.startsWith('event ')))('no recorded key is missing: %s', (name) => {
    expect(findMissingKeys(name, payloads.get(name))).toEqual([]);
  });
});
