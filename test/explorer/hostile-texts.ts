import type { Random } from '../support/random.ts';

/**
 * Texts that would become mentions, links or broadcasts if they weren't escaped. Each contains its id, such as
 * `EVIL7`.
 */
const PIECES: readonly ((id: string) => string)[] = [
  () => '<!channel>',
  (id) => `<!here|${id}>`,
  () => '<!everyone>',
  (id) => `<@U${id}>`,
  (id) => `<#C${id}|general>`,
  (id) => `<!subteam^S${id}>`,
  (id) => `<http://${id}.example|good>`,
  (id) => `<mailto:${id}@example.com>`,
  (id) => `<!date^1790000000^{date}^http://${id}.example|soon>`,
  () => '&lt;!channel&gt;',
  () => '&amp;lt;!here&amp;gt;',
  () => '<<!channel>>',
  () => '<!chan\u200bnel>',
  () => '<!channel',
  () => '!channel>',
  () => '@channel @here @everyone',
  (id) => `http://${id}.example/`,
  (id) => `[good](http://${id}.example)`,
  () => '*_~`',
  () => '```',
  () => '\n>',
  () => '&',
  () => '\u202e',
  () => '\ud800',
  () => '\u0000',
  () => ':tada:',
  () => '🧑‍🔧',
  () => 'ordinary words',
];

/** Creates a generator of hostile texts, each with a unique id. */
export function createHostileTexts(random: Random) {
  let count = 0;
  return (pieces = 1 + random.drawInteger(4)): string => {
    count += 1;
    const id = `EVIL${count}`;
    return [id, ...Array.from({ length: pieces }, () => random.pick(PIECES)(id))].join(
      random.pick([' ', '', '|', '\n']),
    );
  };
}
