import type { Call } from '../../../src/app/call.ts';
import type { Feature } from '../../../src/app/feature.ts';

/** A button for everybody that opens another feature's form, as buttons of features do; its value is the prefill. */
export function opener(others: readonly Pick<Feature, 'name' | 'open'>[]): Feature {
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
