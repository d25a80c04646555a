import { computeValues } from '../blocks/element-values.ts';
import { findElement } from '../blocks/list-elements.ts';
import { isRecord, type Json } from '../json.ts';
import type { Container } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { validateOptions } from '../rules/validate.ts';
import type { Site } from '../site.ts';
import { stateForApp } from '../state/view-object.ts';
import { sceneOf } from './container.ts';
import { interaction } from './payload-parts.ts';
import { demandAcknowledged } from './press.ts';

function withOptionsState(site: Site, blocks: readonly Json[], { view, ...fields }: Json): Json {
  if (!isRecord(view)) return { ...fields };
  const { state, ...rest } = view;
  switch (site.optionsState) {
    case 'stale':
      return { ...fields, view: { ...view, state: stateForApp(site, computeValues(blocks, {})) } };
    case 'missing':
      return { ...fields, view: rest };
    case 'current':
      return { ...fields, view };
  }
}

/** What an external menu offers for the typed words: `{ options }` or `{ option_groups }`. */
export async function askOptions(
  site: Site,
  person: string,
  asked: { container: Container; blockId: string; actionId: string; value: string },
): Promise<Json> {
  const { blockId, actionId, value } = asked;
  const scene = sceneOf(site, person, asked.container, { blockId, values: {} });
  const placed = findElement(scene.blocks, blockId, actionId);
  if (!placed) throw new Refusal('not_found');
  const least = placed.element.min_query_length ?? SLACK_LIMITS.minQueryLength.value;
  if (typeof least === 'number' && value.length < least) return { options: [] };
  const payload = {
    ...interaction(site, 'block_suggestion', person, scene.viewId !== undefined),
    ...withOptionsState(site, scene.blocks, scene.fields),
    action_id: actionId,
    block_id: blockId,
    value,
  };
  const answer = await site.courier.deliver(
    { kind: 'block_suggestion', label: `${actionId} “${value}”` },
    { type: 'interactive', payload, acceptsResponse: true },
  );
  demandAcknowledged(answer);
  return validateOptions(answer.payload);
}
