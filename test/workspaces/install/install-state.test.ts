import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createInstallStates } from '../../../src/workspaces/install-state.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-20T10:15:00Z');
const clientSecret = 'secret';

/** Creates the states of one instance, whose clock is `minutes` behind that of an issuer at `START`, or ahead of it. */
const createAt = (minutes = 0) =>
  createInstallStates({
    now: () => new Date(START.getTime() + minutes * MINUTE_MS),
    isHttps: false,
    clientSecret,
  });

function issue(states = createAt()) {
  const { state, setCookie } = states.issue(undefined);
  return { state, cookies: setCookie.split(';')[0] };
}

test('a state works once, and only in its browser', () => {
  const states = createAt();
  const [own, other] = [issue(states), issue(states)];
  expect(states.use({ ...own, cookies: other.cookies })).toBe(false);
  expect([states.use(own), states.use(own), states.use(other)]).toEqual([true, false, true]);
});

test('a state works once in all spellings of its bytes', () => {
  const states = createAt();
  const { state, cookies } = issue(states);
  const bytes = Buffer.from(state, 'base64url');
  const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((letter) => state.slice(0, -1) + letter)
    .filter((spelling) => Buffer.from(spelling, 'base64url').equals(bytes));
  expect(spellings).toHaveLength(4);
  expect(spellings.filter((spelling) => states.use({ state: spelling, cookies }))).toHaveLength(1);
});

test.each([
  [-6, false],
  [-4, true],
  [9, true],
  [10, false],
])('an instance whose clock differs by %d minutes accepts a state: %s', (minutes, isAccepted) => {
  expect(createAt(minutes).use(issue())).toBe(isAccepted);
});

test('a used state stays used while another clock makes it valid for longer', () => {
  let minutes = -4;
  const now = () => new Date(START.getTime() + minutes * MINUTE_MS);
  const states = createInstallStates({ now, isHttps: false, clientSecret });
  const issued = issue();
  expect(states.use(issued)).toBe(true);
  minutes = 9;
  expect(states.use(issued)).toBe(false);
});

test('a state of a version without times in states isn’t accepted', () => {
  const browserToken = randomBytes(32).toString('base64url');
  const content = Buffer.alloc(16);
  content.writeUIntBE(START.getTime(), 0, 6);
  const key = createHmac('sha256', clientSecret).update('install state').digest();
  const mac = createHmac('sha256', key).update(content).update(browserToken).digest().subarray(0, 16);
  const state = Buffer.concat([content, mac]).toString('base64url');
  expect(createAt().use({ state, cookies: `upnext-install=${browserToken}` })).toBe(false);
});
