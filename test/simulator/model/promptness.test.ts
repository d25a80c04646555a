import { beforeEach, describe, expect, test } from 'vitest';
import type { Deed, Entry } from '../history.ts';
import { createPromptnessCheck } from './promptness.ts';

const MINUTE = 60_000;
const TOKEN = '§a1';
let check: ReturnType<typeof createPromptnessCheck>;
beforeEach(() => {
  check = createPromptnessCheck();
});

const read = (kinds: Parameters<typeof check.addStatement>[1], at: number, text = 'Plain A') =>
  check.addStatement(TOKEN, kinds, { at, text, time: 60 * MINUTE, sentence: text });
const shown = (at: number, text = ''): Entry => ({
  ...{ kind: 'shown', at, workspace: 'TA1', channel: 'D1', reader: 'UA3', surface: 'message', id: '1' },
  ...{ isNew: true, text },
});
const act = (text: string, at: number, tokens: readonly string[] = [], deed: Partial<Deed> = {}) =>
  check.addDeed({ at, workspace: 'TA1', person: 'UA2', text, ...deed }, tokens);

describe('while nothing is broken', () => {
  test('a post goes out soon after the resumption that it waited for', () => {
    read(['kept', 'stopped'], 0);
    read(['kept', 'to-be-sent'], 0, 'I’ll send it if that ends in time.');
    expect(check.add(shown(MINUTE, 'Plain A is resumed.'))).toEqual([]);
    expect(check.add(shown(5 * MINUTE))).toEqual([]);
    expect(check.add(shown(12 * MINUTE))).toEqual([
      '§a1 still waits 10 minutes after Plain A was resumed, 1970-01-01T00:01:00.000Z',
    ]);
  });

  test('a post that isn’t due when its project is resumed has until its hand-over', () => {
    read(['kept', 'stopped'], 0, 'Shop A');
    expect(check.add(shown(MINUTE, 'Shop A is resumed.'))).toEqual([]);
    expect(check.add(shown(39 * MINUTE))).toEqual([]);
    expect(check.add(shown(41 * MINUTE))).toEqual([expect.stringContaining('§a1 still waits')]);
  });

  test('a post whose project is stopped again waits for the next resumption', () => {
    read(['kept', 'stopped'], 0, 'Shop A');
    check.add(shown(MINUTE, 'Shop A is resumed.'));
    read(['kept', 'stopped'], 10 * MINUTE, 'Shop A');
    expect(check.add(shown(50 * MINUTE))).toEqual([]);
    check.add(shown(51 * MINUTE, 'Shop A is resumed.'));
    expect(check.add(shown(60 * MINUTE))).toEqual([]);
    expect(check.add(shown(62 * MINUTE))).toEqual([expect.stringContaining('§a1 still waits')]);
  });

  test('a post that has gone out, or of which somebody reads otherwise, waits for nothing', () => {
    for (const end of [() => check.addCreated(TOKEN), () => read(['uncertain'], 2 * MINUTE)]) {
      read(['kept', 'stopped'], 0);
      check.add(shown(MINUTE, 'Plain A is resumed.'));
      end();
      expect(check.add(shown(12 * MINUTE))).toEqual([]);
    }
  });

  test('a post goes out before its time', () => {
    read(['to-be-sent'], 0);
    expect(check.add(shown(59 * MINUTE))).toEqual([]);
    expect(check.add(shown(61 * MINUTE))).toEqual([
      expect.stringContaining('isn’t at the service at its time'),
    ]);
  });

  test('it doesn’t come to wait for somebody, unless somebody did something', () => {
    read(['to-be-sent'], 0);
    expect(read(['not-at-service', 'will-not-be-sent'], 5 * MINUTE, 'Waiting for review')).toEqual([
      '§a1 was to go out, as people read 1970-01-01T00:00:00.000Z, and then it is “Waiting for review”, and nobody did anything',
    ]);
    read(['to-be-sent'], 10 * MINUTE);
    act('presses [Cancel post] §a1', 11 * MINUTE, [TOKEN], { pressed: 'Cancel post' });
    expect(read(['not-at-service', 'will-not-be-sent'], 12 * MINUTE)).toEqual([]);
    act('is now viewer', 20 * MINUTE);
    read(['to-be-sent'], 30 * MINUTE);
    expect(read(['not-at-service', 'will-not-be-sent'], 31 * MINUTE)).toEqual([]);
  });
});

test('while something is broken, everything may be late', () => {
  check.add({ kind: 'note', at: 0, text: 'Slack is down', trouble: { forMs: 2 * 60 * MINUTE } });
  read(['to-be-sent'], MINUTE);
  expect(check.add(shown(61 * MINUTE))).toEqual([]);
  expect(check.isCalm(MINUTE)).toBe(false);
  expect(check.isCalm(121 * MINUTE)).toBe(true);
});
