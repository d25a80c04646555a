import { computeValues } from '../blocks/element-values.ts';
import { findElement } from '../blocks/list-elements.ts';
import { isRecord, type Json } from '../json.ts';
import type { Container } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { validateOptions } from '../rules/validate.ts';
import type { Site } from '../site.ts';
import { formatState } from '../state/view-object.ts';
import { findSource } from './interaction-source.ts';
import { buildInteractionPart } from './payload-parts.ts';
import { requireAcknowledged } from './press-element.ts';

function withOptionsState(site: Site, blocks: readonly Json[], { view, ...fields }: Json): Json {
  if (!isRecord(view)) return { ...fields };
  const { state, ...rest } = view;
  switch (site.optionsState) {
    case 'stale':
      return { ...fields, view: { ...view, state: formatState(site, computeValues(blocks, {})) } };
    case 'missing':
      return { ...fields, view: rest };
    case 'current':
      return { ...fields, view };
  }
}

/**
 * Requests the options of an external menu for the typed text. Resolves with `{ options }` or `{ option_groups }`.
 * Rejects if the app didn't acknowledge, or returned options that Slack refuses.
 */
export async function requestOptions(
  site: Site,
  person: string,
  request: { container: Container; blockId: string; actionId: string; value: string },
): Promise<Json> {
  const { blockId, actionId, value } = request;
  const source = findSource(site, person, request.container, { blockId, values: {} });
  const placed = findElement(source.blocks, blockId, actionId);
  if (!placed) throw new Refusal('not_found');
  const minLength = placed.element.min_query_length ?? SLACK_LIMITS.minQueryLength.value;
  if (typeof minLength === 'number' && value.length < minLength) return { options: [] };
  const payload = {
    ...buildInteractionPart(site, 'block_suggestion', person, source.viewId !== undefined),
    ...withOptionsState(site, source.blocks, source.fields),
    action_id: actionId,
    block_id: blockId,
    value,
  };
  const answer = await site.connection.deliver(
    { kind: 'block_suggestion', label: `${actionId} “${value}”` },
    { type: 'interactive', payload, acceptsResponse: true },
  );
  requireAcknowledged(answer);
  return validateOptions(answer.payload);
}
