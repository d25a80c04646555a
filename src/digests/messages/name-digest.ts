import { zoneName } from '../../when/when.ts';
import { type Digest, isPersonal } from '../digest.ts';

/** mrkdwn: "<#C1>, daily at 09:00 (Berlin)". */
export function nameDigest(digest: Pick<Digest, 'channel' | 'kind' | 'time' | 'zone'>): string {
  const { hour, minute } = digest.time;
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  const where = isPersonal(digest) ? 'Direct messages' : `<#${digest.channel}>`;
  return `${where}, ${digest.kind} at ${time} (${zoneName(digest.zone)})`;
}
