import { describe, expect, test } from 'vitest';
import type { FaultPlan } from '../../src/faults/fault-plan.ts';
import { FaultDraw } from '../../src/faults/service-faults.ts';

function drawFaults(plan: FaultPlan, calls: number): string[] {
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
  test('each fault applies to its share of the calls', () => {
    const faults = drawFaults(MIX, 10_000);
    const computeShare = (name: string) => faults.filter((fault) => fault === name).length / faults.length;
    expect(computeShare('cut')).toBeCloseTo(0.1, 1);
    expect(computeShare('hang')).toBeCloseTo(0.3, 1);
    expect(computeShare('none')).toBeCloseTo(0.6, 1);
  });

  test('the mix depends only on the seed', () => {
    expect(drawFaults(MIX, 200)).toEqual(drawFaults(MIX, 200));
    expect(drawFaults({ ...MIX, seed: 8 }, 200)).not.toEqual(drawFaults(MIX, 200));
  });

  test('calls of other operations don’t affect the mix', () => {
    const draw = new FaultDraw();
    draw.set(MIX);
    const faults = Array.from({ length: 200 }, () => {
      draw.next('listPosts');
      return draw.next('createPost')?.fault ?? 'none';
    });
    expect(faults).toEqual(drawFaults(MIX, 200));
  });
});

test('a fault with a count of two applies only to the next two calls', () => {
  expect(drawFaults({ rules: [{ fault: 'cut', commit: 'never', times: 2 }] }, 4)).toEqual([
    'cut',
    'cut',
    'none',
    'none',
  ]);
});

test('a fault applies only to its operations, and is counted', () => {
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
