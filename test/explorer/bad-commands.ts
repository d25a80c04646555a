/** Bad text after a command, as it reaches the app. */
export const BAD_COMMANDS: readonly (readonly [name: string, text: string])[] = [
  ['empty', ''],
  ['only spaces', '     '],
  ['100 kB', 'posts '.repeat(17_000)],
  ['NUL', 'pos\u0000ts'],
  // Form encoding can't represent an unpaired surrogate, so the replacement character arrives.
  ['unpaired surrogate', 'posts \ud83d'],
  ['right-to-left override', '\u202estsop'],
  ['zero-width characters in the subcommand', 'po\u200bs\u200dt\ufeffs'],
  ['look-alike letters', 'роsts'],
  ['curly quotes', '“Harbour Coffee” ‘posts’'],
  ['an unclosed quote', 'use "Harbour Coffee'],
  ['__proto__', '__proto__'],
  ['../ and %2F in an id', '../../p2/users%2Fu1'],
  ['another workspace’s project', '6f1d2c3b-0000-4000-8000-another-workspace'],
  ['<!channel>', '<!channel>'],
  ['<@U…>', '<@U01ANAFERR>'],
  ['<http://evil|good>', '<http://evil|good>'],
  ['newlines', 'posts\n\n\r\ndrafts\n'],
  [
    'strings that make regular expressions slow',
    `${'a '.repeat(5_000)}!${'9am '.repeat(2_000)}${'('.repeat(5_000)}`,
  ],
];
