import type { Call } from '../../../src/app/call.ts';
import type { Feature } from '../../../src/app/feature.ts';

/** A feature with a button for each other feature that opens its form. The button's value is the prefill. */
export function createOpener(others: readonly Pick<Feature, 'name' | 'open'>[]): Feature {
  const open = others.map(
    ({ name }) =>
      [
        `open.${name}`,
        (call: Call & { action: { value?: string } }) =>
          call.openFeature(name, JSON.parse(call.action.value ?? '{}')),
      ] as const,
  );
  return { name: 'opening', commands: [], role: () => 'member', actions: Object.fromEntries(open) };
}
