import { expect, test } from 'vitest';
import type { Entry } from '../../../src/access/record/entry.ts';
import { foldRepeats } from '../../../src/access/record/fold-repeats.ts';

const MINUTE = 60_000;
const ENTRY: Entry = {
  workspace: 'T1',
  who: 'U1',
  action: 'webhook command webhook',
  decision: 'refused',
  reference: 'abcd1234',
};

function folded(more: { windowMs?: number; maxMembers?: number } = {}) {
  const at = { now: 0 };
  const written: string[] = [];
  const add = ({ who, action, target, decision }: Entry) =>
    void written.push([who, action, target, decision].filter(Boolean).join(' | '));
  const record = foldRepeats(
    { add: async (entry) => add(entry), note: add, settled: async () => {}, stop: () => [] },
    { clock: () => at.now, ...more },
  );
  const repeat = (times: number, change: Partial<Entry> = {}) => {
    for (let index = 0; index < times; index += 1) record.note({ ...ENTRY, ...change });
  };
  return { at, written, record, repeat };
}

test('a refusal that comes again and again is written once, and after five minutes how often it came', () => {
  const { at, written, repeat } = folded();
  repeat(48);
  repeat(1, { who: 'U2' });
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

test('the count is written when its time is over, without another refusal', async () => {
  const { at, written, repeat } = folded({ windowMs: 1 });
  repeat(2);
  at.now = 1;
  await expect.poll(() => written).toContain('U1 | webhook command webhook | once more | refused');
});

test('whoever reads the record, or stops the app, has it all', async () => {
  const { written, record, repeat } = folded();
  repeat(3);
  await record.settled();
  expect(written.at(-1)).toBe('U1 | webhook command webhook | 2 more times | refused');
});

test("reading one workspace's record leaves the counts of other workspaces open", async () => {
  const { written, record, repeat } = folded();
  repeat(3);
  repeat(3, { workspace: 'T2', who: 'U2' });
  await record.settled('T2');
  expect(written.slice(2)).toEqual(['U2 | webhook command webhook | 2 more times | refused']);
  repeat(1);
  expect(written).toHaveLength(3);
});

test('of many different refusals of one member the rest stand together', async () => {
  const { written, record, repeat } = folded();
  for (let project = 0; project < 1_000; project += 1) repeat(1, { project: `p${project}` });
  expect(written).toHaveLength(21);
  await record.settled();
  expect(written.at(-1)).toBe('U1 | other requests | 979 more times | refused');
});

test('what was allowed or done is written each time, and so is what was refused without a request', () => {
  const { written, repeat } = folded();
  repeat(3, { decision: 'allowed' });
  repeat(3, { decision: 'done' });
  repeat(3, { reference: undefined, target: 'a post' });
  expect(written).toHaveLength(9);
});

test('of more members than anybody has, the one refused first is written and forgotten', () => {
  const { written, repeat } = folded({ maxMembers: 1 });
  repeat(2);
  repeat(1, { who: 'U2' });
  expect(written).toContain('U1 | webhook command webhook | once more | refused');
});
