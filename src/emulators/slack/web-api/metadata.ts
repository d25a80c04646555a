import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, nestedArg } from './call.ts';

/**
 * What an app attaches to a message for itself; undefined where it says nothing of it, null where it gives an empty
 * object, which in chat.update takes the old one away (docs.slack.dev, "chat.update").
 */
export function metadataArg(call: Call): Json | null | undefined {
  const given = nestedArg(call, 'metadata', 'invalid_metadata_format');
  if (given === undefined) return undefined;
  if (!isRecord(given)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(given).length === 0) return null;
  const { event_type: type, event_payload: payload } = given;
  if (typeof type !== 'string' || type === '' || !isRecord(payload)) {
    throw new Refusal('invalid_metadata_schema');
  }
  return { event_type: type, event_payload: payload };
}
