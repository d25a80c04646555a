import { zoneName } from '../../when/when.ts';
import { type Digest, isPersonal } from '../digest.ts';

/** Renders a digest's name as mrkdwn: "<#C1>, daily at 09:00 (Berlin)". */
export function renderDigestName(digest: Pick<Digest, 'channel' | 'kind' | 'time' | 'zone'>): string {
  const { hour, minute } = digest.time;
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  const place = isPersonal(digest) ? 'Direct messages' : `<#${digest.channel}>`;
  return `${place}, ${digest.kind} at ${time} (${zoneName(digest.zone)})`;
}
