import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBotDatabase } from '../support/bot-database.ts';
import { CHANGING_ZONES, SPARE_ZONES } from '../support/changing-zones.ts';
import { checkDigests } from '../support/digest-checker.ts';
import { simulate } from '../support/run-simulation.ts';
import { isSilent } from '../support/start-digests.ts';

let database: Awaited<ReturnType<typeof openBotDatabase>>;
beforeEach(async () => {
  database = await openBotDatabase();
});
afterEach(() => database.close());

const baseOptions = { seed: 3, zones: CHANGING_ZONES, spareZones: SPARE_ZONES };
const TIMEOUT_MS = 240_000;

describe('digests in twenty zones', () => {
  test('on days without faults each digest is sent within a minute of its time, across the clock changes of autumn', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { verdict, traces } = await simulate({
      ...baseOptions,
      db: database.db,
      ...{ from: '2026-10-23T00:00:00Z', until: '2026-11-02T00:00:00Z' },
      channels: 2,
      hasFaults: false,
    });
    expect(verdict.faults, traces.join('\n')).toEqual([]);
    expect(verdict.sent + verdict.silent).toBe(verdict.expected);
    expect(verdict.sent).toBeGreaterThan(100);
    expect(Math.max(...verdict.delays)).toBeLessThan(60_000);
  });

  test('with faults in spring each date has exactly one outcome, and the check detects missing and duplicate digests', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { verdict, traces, world, kills, states } = await simulate({
      ...baseOptions,
      db: database.db,
      ...{ from: '2026-03-22T00:00:00Z', until: '2026-04-08T00:00:00Z' },
      channels: 2,
      hasFaults: true,
    });
    expect(verdict.faults, traces.join('\n')).toEqual([]);
    // The faults had an effect. Whether a digest is missed depends on the speed of the machine.
    expect(Math.max(...verdict.delays)).toBeGreaterThan(60_000);
    expect(kills).toBeGreaterThan(0);
    const finalStates = ['sent', 'missed', 'paused', 'silent'];
    expect(Object.keys(states).filter((state) => !finalStates.includes(state))).toEqual([]);

    const check = (messages: typeof world.slack.messages) =>
      checkDigests({
        digests: [...world.histories.values()],
        jumps: world.jumps,
        end: { at: world.state.order, now: world.now() },
        messages,
        isSilent,
      }).faults;
    const digestMessages = world.slack.messages.filter(({ text }) => text.startsWith('digest '));
    const checkWithout = (digestMessage: (typeof digestMessages)[number]) =>
      check(world.slack.messages.filter((message) => message !== digestMessage));
    // A date on which the clock jumped, or the digest was paused, needs no message.
    const requiredMessage = digestMessages.find((digestMessage) => checkWithout(digestMessage).length > 0);
    expect(requiredMessage && checkWithout(requiredMessage)).toEqual([expect.stringMatching(/: nothing$/)]);
    expect(requiredMessage && check([...world.slack.messages, requiredMessage])).toEqual([
      expect.stringMatching(/: sent and sent$/),
    ]);
  });
});

test('the check counts a digest as paused if it was paused after its owner asked to send it again', () => {
  const addDays = (days: number) => Date.parse('2026-03-02T09:00:00Z') + days * 24 * 60 * 60 * 1000;
  const setEvent = { at: 1, now: addDays(-0.5), kind: 'set' as const };
  const rule = { days: [1], minute: 9 * 60, zone: 'UTC' };
  const pauseEvent = { at: 2, now: addDays(5), kind: 'paused' as const, by: 'app' as const };
  const digest = { id: 'one', channel: 'C1', owner: 'U1', eventLog: [{ ...setEvent, rule }, pauseEvent] };
  const notification = { ts: '1.1', channel: 'D1', at: addDays(5), text: 'The digest in <#C1> is paused.' };
  const findFaults = (resendRequests: { date: string; now: number }[]) =>
    checkDigests({
      digests: [{ ...digest, resendRequests }],
      jumps: [],
      end: { at: 3, now: addDays(6) },
      messages: [notification],
      isSilent: () => false,
    }).faults;
  expect(findFaults([])).toEqual(['digest one for 2026-03-02 (C1): nothing']);
  expect(findFaults([{ date: '2026-03-02', now: addDays(4.9) }])).toEqual([]);
});
