import type { Feature } from '../../src/handlers/feature.ts';
import { escapeText, sanitizeLine } from '../../src/slack/blocks.ts';

/** `/upnext wave` waves at somebody. */
export const wave: Feature = {
  name: 'wave',
  commands: [
    {
      name: 'wave',
      aliases: [],
      summary: 'Wave at somebody',
      usage: '[name]',
      examples: { '/upnext wave Ben': 'Wave at Ben.' },
      deed: 'use `/upnext wave`',
      run: (call) => call.reply({ text: `I waved at ${escapeText(sanitizeLine(call.text))}.` }),
    },
  ],
  role: 'viewer',
};
