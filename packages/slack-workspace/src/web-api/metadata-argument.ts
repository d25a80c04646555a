import { getRecord, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, readJson } from './call.ts';

/**
 * Reads a message's metadata: an event, Work Objects or both. Returns undefined if the call has none, and null for an empty object, with which
 * chat.update removes the metadata (docs.slack.dev/reference/methods/chat.update).
 */
export function readMetadata(call: Call): Json | null | undefined {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  const { event_type: type, event_payload: payload, entities } = metadata;
  const isEvent = typeof type === 'string' && type !== '' && isRecord(payload);
  const isEntities = Array.isArray(entities) && entities.length > 0 && entities.every(isEntity);
  // Each of the two kinds of metadata may come alone.
  if (!(isEvent || (isEntities && type === undefined)) || !(isEntities || entities === undefined)) {
    throw new Refusal('invalid_metadata_schema');
  }
  return { ...(isEvent && { event_type: type, event_payload: payload }), ...(isEntities && { entities }) };
}

/** A Work Object (@slack/types, EntityMetadata; docs.slack.dev/messaging/work-objects-implementation). */
function isEntity(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const id = getRecord(value, 'external_ref')?.id;
  const texts = [value.entity_type, value.url, id];
  return texts.every((text) => typeof text === 'string' && text !== '') && isRecord(value.entity_payload);
}
