import type { ActionCall } from '../../src/handlers/call.ts';
import type { Feature } from '../../src/handlers/feature.ts';

/** Creates a feature whose buttons open the forms of other features. A button's value is the prefill of the form. */
export function createOpener(openableFeatures: readonly Pick<Feature, 'name' | 'open'>[]): Feature {
  const actions = openableFeatures.map(
    ({ name }) =>
      [
        `open.${name}`,
        {
          deed: 'open a feature' as const,
          run: (call: ActionCall) => call.openFeature(name, JSON.parse(call.action.value ?? '{}')),
        },
      ] as const,
  );
  return { name: 'opening', commands: [], role: 'member', actions: Object.fromEntries(actions) };
}
