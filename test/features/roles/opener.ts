import type { Needed } from '../../../src/access/roles.ts';
import type { Call, Feature } from '../../../src/slack/feature.ts';

/** A button for everybody that opens another feature's form, as buttons of features do; its value is the prefill. */
export function opener<Parts>(
  others: readonly Pick<Feature<Parts, Needed>, 'name' | 'open'>[],
): Feature<Parts, Needed> {
  const open = others.map(
    ({ name }) =>
      [
        `open.${name}`,
        (call: Call<Parts> & { action: { value?: string } }) =>
          call.open(name, JSON.parse(call.action.value ?? '{}')),
      ] as const,
  );
  return { name: 'opening', commands: [], role: () => 'member', actions: Object.fromEntries(open) };
}
