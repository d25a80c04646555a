import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, readJson } from './call.ts';

/**
 * Reads a message's metadata. Returns undefined if the call has none, and null for an empty object, with which
 * chat.update removes the metadata (docs.slack.dev/reference/methods/chat.update).
 */
export function readMetadata(call: Call): Json | null | undefined {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  const { event_type: type, event_payload: payload } = metadata;
  if (typeof type !== 'string' || type === '' || !isRecord(payload)) {
    throw new Refusal('invalid_metadata_schema');
  }
  return { event_type: type, event_payload: payload };
}
