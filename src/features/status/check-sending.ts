import type { Call } from '../../app/call.ts';
import { haltOf } from '../../delivery/halt.ts';
import { escapeText, tame } from '../../slack/escape.ts';
import { zoneName } from '../../when/when.ts';
import type { Line } from './status-message.ts';

/** Nothing where all goes out as usual; whoever runs the app can stop everything. */
export async function checkSending({ context }: Call): Promise<Line[]> {
  const halt = await haltOf(context.db);
  if (!halt) return [];
  const since = halt.since.toISOString().slice(0, 16).replace('T', ' ');
  const why = tame(halt.why);
  const reason = why === '' ? '' : ` They say: ${escapeText(why)}.`;
  const text = `Whoever runs this app has stopped all sending, since ${since} (${zoneName('UTC')}).${reason} What you submit is kept, and goes out when they let it.`;
  return [{ mark: 'wrong', text }];
}
