import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/access/record/entry.ts';
import { foldRepeats } from '../../../src/access/record/fold-repeats.ts';

const MINUTE = 60_000;
const ENTRY: AuditEntry = {
  workspace: 'T1',
  actor: 'U1',
  action: 'webhook command webhook',
  decision: 'refused',
  reference: 'abcd1234',
};

function createFoldedRecord(more: { windowMs?: number; maxMembers?: number } = {}) {
  const at = { now: 0 };
  const written: string[] = [];
  const add = ({ actor, action, target, decision }: AuditEntry) =>
    void written.push([actor, action, target, decision].filter(Boolean).join(' | '));
  const record = foldRepeats(
    { add: async (entry) => add(entry), enqueue: add, flush: async () => {}, stop: () => [] },
    { clock: () => at.now, ...more },
  );
  const repeat = (times: number, change: Partial<AuditEntry> = {}) => {
    for (let index = 0; index < times; index += 1) record.enqueue({ ...ENTRY, ...change });
  };
  return { at, written, record, repeat };
}

test('a repeated refusal is recorded once, and after five minutes with its number of repetitions', () => {
  const { at, written, repeat } = createFoldedRecord();
  repeat(48);
  repeat(1, { actor: 'U2' });
  expect(written).toEqual([
    'U1 | webhook command webhook | refused',
    'U2 | webhook command webhook | refused',
  ]);
  at.now = 5 * MINUTE;
  repeat(1);
  expect(written.slice(2)).toEqual([
    'U1 | webhook command webhook | 47 more times | refused',
    'U1 | webhook command webhook | refused',
  ]);
});

test('the number of repetitions is recorded when the window ends, without another refusal', async () => {
  const { at, written, repeat } = createFoldedRecord({ windowMs: 1 });
  repeat(2);
  at.now = 1;
  await expect.poll(() => written).toContain('U1 | webhook command webhook | once more | refused');
});

test('reading the record or stopping the app records the number of repetitions at once', async () => {
  const { written, record, repeat } = createFoldedRecord();
  repeat(3);
  await record.flush();
  expect(written.at(-1)).toBe('U1 | webhook command webhook | 2 more times | refused');
});

test('reading the record of one workspace does not close the windows of others', async () => {
  const { written, record, repeat } = createFoldedRecord();
  repeat(3);
  repeat(3, { workspace: 'T2', actor: 'U2' });
  await record.flush('T2');
  expect(written.slice(2)).toEqual(['U2 | webhook command webhook | 2 more times | refused']);
  repeat(1);
  expect(written).toHaveLength(3);
});

test('beyond 20 different refusals of one member, further ones are recorded together', async () => {
  const { written, record, repeat } = createFoldedRecord();
  for (let project = 0; project < 1_000; project += 1) repeat(1, { project: `p${project}` });
  expect(written).toHaveLength(21);
  await record.flush();
  expect(written.at(-1)).toBe('U1 | other requests | 979 more times | refused');
});

test('allowed and done actions are recorded each time, and so are refusals without a request', () => {
  const { written, repeat } = createFoldedRecord();
  repeat(3, { decision: 'allowed' });
  repeat(3, { decision: 'done' });
  repeat(3, { reference: undefined, target: 'a post' });
  expect(written).toHaveLength(9);
});

test('with too many members, the oldest window is recorded and closed', () => {
  const { written, repeat } = createFoldedRecord({ maxMembers: 1 });
  repeat(2);
  repeat(1, { actor: 'U2' });
  expect(written).toContain('U1 | webhook command webhook | once more | refused');
});
