import type { Call } from '../../../src/app/call.ts';
import type { Feature } from '../../../src/app/feature.ts';

/** Creates a feature with one button per feature. A button opens the feature's form, with its value as prefill. */
export function createOpener(others: readonly Pick<Feature, 'name' | 'open'>[]): Feature {
  const actions = others.map(
    ({ name }) =>
      [
        `open.${name}`,
        (call: Call & { action: { value?: string } }) =>
          call.openFeature(name, JSON.parse(call.action.value ?? '{}')),
      ] as const,
  );
  return { name: 'opening', commands: [], role: () => 'member', actions: Object.fromEntries(actions) };
}
