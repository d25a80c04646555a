import { describe, expect, test } from 'vitest';
import { FaultDraw } from '../../../../src/emulators/service/faults/fault-draw.ts';
import type { FaultPlan } from '../../../../src/emulators/service/faults/fault-plan.ts';

function drawn(plan: FaultPlan, calls: number): string[] {
  const draw = new FaultDraw();
  draw.set(plan);
  return Array.from({ length: calls }, () => draw.next('createPost')?.fault ?? 'none');
}

const MIX: FaultPlan = {
  seed: 7,
  rules: [
    { fault: 'cut', commit: 'first', share: 0.1 },
    { fault: 'hang', commit: 'never', share: 0.3 },
  ],
};

describe('a mix of faults', () => {
  test('applies each fault to its share of the calls', () => {
    const seen = drawn(MIX, 10_000);
    const part = (name: string) => seen.filter((fault) => fault === name).length / seen.length;
    expect(part('cut')).toBeCloseTo(0.1, 1);
    expect(part('hang')).toBeCloseTo(0.3, 1);
    expect(part('none')).toBeCloseTo(0.6, 1);
  });

  test('depends on the seed only', () => {
    expect(drawn(MIX, 200)).toEqual(drawn(MIX, 200));
    expect(drawn({ ...MIX, seed: 8 }, 200)).not.toEqual(drawn(MIX, 200));
  });

  test('doesn’t depend on calls of other operations', () => {
    const draw = new FaultDraw();
    draw.set(MIX);
    const seen = Array.from({ length: 200 }, () => {
      draw.next('listPosts');
      return draw.next('createPost')?.fault ?? 'none';
    });
    expect(seen).toEqual(drawn(MIX, 200));
  });
});

test('a fault with a count applies to the next two calls only', () => {
  expect(drawn({ rules: [{ fault: 'cut', commit: 'never', times: 2 }] }, 4)).toEqual([
    'cut',
    'cut',
    'none',
    'none',
  ]);
});

test('a fault applies to its operations only, and is counted', () => {
  const draw = new FaultDraw();
  draw.set({ rules: [{ fault: 'status', status: 503, operation: ['createPost', 'createPrompt'] }] });
  draw.next('listPosts');
  draw.next(undefined);
  draw.next('createPost');
  draw.next('createPrompt');
  draw.set({});
  draw.next('createPost');
  expect(draw.counts()).toEqual({
    calls: { listPosts: 1, createPost: 2, createPrompt: 1 },
    faults: { 'status 503 never': 2 },
  });
});
