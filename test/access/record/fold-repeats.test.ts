import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { foldRepeats } from '../../../src/access/record/fold-repeats.ts';

const MINUTE_MS = 60_000;
const ENTRY: AuditEntry = {
  workspace: 'T1',
  actor: 'U1',
  action: 'webhook command webhook',
  decision: 'refused',
  reference: 'abcd1234',
};

function prepareNothing(): never {
  throw new Error('an entry was prepared');
}

function createFoldedRecord(options: { windowMs?: number; maxMembers?: number } = {}) {
  const time = { now: 0 };
  const recordedLines: string[] = [];
  const recordedTimes: (Date | undefined)[] = [];
  const recordEntry = ({ actor, action, target, decision, at }: AuditEntry) => {
    recordedLines.push([actor, action, target, decision].filter(Boolean).join(' | '));
    recordedTimes.push(at);
  };
  const record = foldRepeats(
    {
      add: async (entry) => recordEntry(entry),
      enqueue: recordEntry,
      prepare: prepareNothing,
      flush: async () => {},
      stop: () => [],
    },
    { clock: () => time.now, now: () => new Date(time.now), ...options },
  );
  const enqueueRepeatedly = (times: number, fields: Partial<AuditEntry> = {}) => {
    for (let index = 0; index < times; index += 1) record.enqueue({ ...ENTRY, ...fields });
  };
  return { time, recordedLines, recordedTimes, record, enqueueRepeatedly };
}

test('a repeated refusal is recorded at once, and its number of repetitions after five minutes', () => {
  const { time, recordedLines, enqueueRepeatedly } = createFoldedRecord();
  enqueueRepeatedly(48);
  enqueueRepeatedly(1, { actor: 'U2' });
  expect(recordedLines).toEqual([
    'U1 | webhook command webhook | refused',
    'U2 | webhook command webhook | refused',
  ]);
  time.now = 5 * MINUTE_MS;
  enqueueRepeatedly(1);
  expect(recordedLines.slice(2)).toEqual([
    'U1 | webhook command webhook | 47 more times | refused',
    'U1 | webhook command webhook | refused',
  ]);
});

test('the number of repetitions has the time of the last one', () => {
  const { time, recordedTimes, enqueueRepeatedly } = createFoldedRecord();
  enqueueRepeatedly(2);
  time.now = MINUTE_MS;
  enqueueRepeatedly(1);
  time.now = 5 * MINUTE_MS;
  enqueueRepeatedly(1);
  expect(recordedTimes).toEqual([undefined, new Date(MINUTE_MS), undefined]);
});

test('the number of repetitions is recorded when the window ends, without another refusal', async () => {
  const { time, recordedLines, enqueueRepeatedly } = createFoldedRecord({ windowMs: 1 });
  enqueueRepeatedly(2);
  time.now = 1;
  await expect.poll(() => recordedLines).toContain('U1 | webhook command webhook | once more | refused');
});

test('reading the record or stopping the app records the number of repetitions at once', async () => {
  const { recordedLines, record, enqueueRepeatedly } = createFoldedRecord();
  enqueueRepeatedly(3);
  await record.flush();
  expect(recordedLines.at(-1)).toBe('U1 | webhook command webhook | 2 more times | refused');
});

test('reading the record of one workspace does not close the windows of others', async () => {
  const { recordedLines, record, enqueueRepeatedly } = createFoldedRecord();
  enqueueRepeatedly(3);
  enqueueRepeatedly(3, { workspace: 'T2', actor: 'U2' });
  await record.flush('T2');
  expect(recordedLines.slice(2)).toEqual(['U2 | webhook command webhook | 2 more times | refused']);
  enqueueRepeatedly(1);
  expect(recordedLines).toHaveLength(3);
});

test('beyond 20 different refusals of one member, further refusals are recorded together', async () => {
  const { recordedLines, record, enqueueRepeatedly } = createFoldedRecord();
  for (let project = 0; project < 1_000; project += 1) enqueueRepeatedly(1, { project: `p${project}` });
  expect(recordedLines).toHaveLength(21);
  await record.flush();
  expect(recordedLines.at(-1)).toBe('U1 | further refusals | 979 more times | refused');
});

test('every allowed or completed action is recorded, and so is every refusal without a request', () => {
  const { recordedLines, enqueueRepeatedly } = createFoldedRecord();
  enqueueRepeatedly(3, { decision: 'allowed' });
  enqueueRepeatedly(3, { decision: 'done' });
  enqueueRepeatedly(3, { reference: undefined, target: 'a post' });
  expect(recordedLines).toHaveLength(9);
});

test('with too many members, the repetitions in the oldest window are recorded and the window is closed', () => {
  const { recordedLines, enqueueRepeatedly } = createFoldedRecord({ maxMembers: 1 });
  enqueueRepeatedly(2);
  enqueueRepeatedly(1, { actor: 'U2' });
  expect(recordedLines).toContain('U1 | webhook command webhook | once more | refused');
});
