/** A kind of text that took some function a long time, or might. */
interface WorstText {
  name: string;
  /** Creates a text of about `length` UTF-16 units. */
  create(length: number): string;
}

const repeat = (piece: string) => (length: number) =>
  piece.repeat(Math.max(1, Math.ceil(length / piece.length)));

/** Pieces whose repetition makes a text: at least one for each class of characters that a pattern of src names. */
const PIECES: Readonly<Record<string, string>> = {
  'small letters': 'a',
  'capital letters': 'A',
  'letters in mixed case': 'aB',
  words: 'ab ',
  figures: '7',
  'figures and points': '1.',
  'figures and colons': '12:',
  'figures and commas': '1,',
  'figures and hyphens': '1-',
  'times of the day': '9:30 ',
  blanks: ' ',
  tabs: '\t',
  'line breaks': '\n',
  'Windows line breaks': '\r\n',
  'carriage returns': '\r',
  'blank lines': ' \n',
  'no-break spaces': '\u00a0',
  'line separators': '\u2028',
  points: '.',
  'points and letters': 'a.',
  commas: ',',
  'commas and blanks': ', ',
  semicolons: ';',
  hyphens: '-',
  'letters and hyphens': 'a-',
  underscores: '_',
  'letters and underscores': 'a_',
  apostrophes: "'",
  'curly apostrophes': '’',
  quotes: '"',
  'curly quotes': '“',
  backslashes: '\\',
  slashes: '/',
  'letters and slashes': 'a/',
  colons: ':',
  'emoji codes': ':a',
  'whole emoji codes': ':tada:',
  'opening parentheses': '(',
  'closing parentheses': ')',
  parentheses: '()',
  'opening brackets': '[',
  brackets: '[]',
  'opening braces': '{',
  braces: '{}',
  'opening angle brackets': '<',
  'angle brackets': '<a>',
  'opening tags': '<a ',
  'closing angle brackets': '>',
  ampersands: '&',
  entities: '&amp;',
  'begun entities': '&am',
  'at signs': '@',
  'addresses of people': 'a@b.',
  mentions: '<@U1>',
  'begun mentions': '<@U1|',
  'hash signs': '#',
  hashtags: '#a ',
  stars: '*',
  'bold letters': '*a',
  'bold words': '*a* ',
  tildes: '~',
  'grave accents': '`',
  'vertical bars': '|',
  'equals signs': '=',
  'plus signs': '+',
  'dollar signs': '$a',
  'percent signs': '%',
  'percent codes': '%C3',
  'question marks': '?',
  'exclamation marks': '!',
  'begun links': 'http://',
  links: 'http://a.b ',
  'links in angle brackets': '<http://a|b>',
  domains: 'a.co.',
  'letters with accents': 'é',
  'decomposed letters': 'e\u0301',
  marks: '\u0301',
  'different marks': '\u0301\u0323',
  'marks that become two': '\u0344',
  'Tibetan marks': '\u0f73\u0f71',
  'spacing marks': '\u0bbe',
  'enclosing marks': '\u20dd',
  'half-width sound marks': '\uff9e',
  'letters that become eighteen': '\ufdfa',
  'full-width letters': 'ａ',
  sigmas: 'Σ',
  'dotted capitals': 'İ',
  'Han characters': '漢',
  kana: 'か',
  'half-width kana': 'ｶﾞ',
  'jamo letters': '\u1100\u1161\u11a8',
  'Arabic letters': 'ا',
  'Indic syllables': 'क्',
  emoji: '🎉',
  'joined emoji': '🧑‍',
  'emoji modifiers': '\u{1f3fb}',
  flags: '🇩',
  'begun regional flags': '\u{1f3f4}\u{e0067}',
  'tag characters': '\u{e0067}',
  'variation selectors': '\ufe0f',
  'zero-width joiners': '\u200d',
  'zero-width spaces': '\u200b',
  'bidirectional controls': '\u202e',
  'control characters': '\u0001',
  'NUL characters': '\u0000',
  'lone surrogates': '\ud800',
  'Hangul fillers': '\u3164',
  'grapheme joiners': '\u034f',
};

/** Punctuation that patterns of src repeat. */
const RUNS: Readonly<Record<string, string>> = {
  'question marks': '?',
  points: '.',
  hyphens: '-',
  commas: ',',
  slashes: '/',
  'full stops and blanks': '. ',
};

/** A text whose two halves are repetitions of two pieces, such as opening and closing brackets. */
const halves = (first: string, second: string) => (length: number) =>
  repeat(first)(length / 2) + repeat(second)(length / 2);

/** Lists the integers from 0, as many as are about `length` UTF-16 units with their separator. */
function listNumbers(length: number): string[] {
  const numbers: string[] = [];
  for (let size = 0; size < length; size += String(numbers.length).length + 1)
    numbers.push(String(numbers.length));
  return numbers;
}

/** Texts that make patterns, normalization, segmentation and parsers slow, if anything does. */
export const WORST_TEXTS: readonly WorstText[] = [
  ...Object.entries(PIECES).map(([name, piece]) => ({ name, create: repeat(piece) })),
  { name: 'a letter with marks', create: (length) => `a${repeat('\u0323\u0301')(length)}` },
  // A pattern that may begin anywhere in a run, and ends after it, tries each beginning.
  ...Object.entries({ ...RUNS, blanks: ' ', letters: 'a', figures: '7', 'line breaks': '\n' }).map(
    ([name, run]) => ({
      name: `${name} between words`,
      create: (length: number) => `a${repeat(run)(length)}b`,
    }),
  ),
  ...['<', '(', '[', '"', '“', "'", ':', '-', '#', '@', '*', '`'].map((mark) => ({
    name: `${mark} and blanks`,
    create: (length: number) => `${mark}${repeat(' ')(length)}b`,
  })),
  { name: 'nested parentheses', create: halves('(', ')') },
  { name: 'nested brackets', create: halves('[', ']') },
  { name: 'nested braces', create: halves('{"a":', '}') },
  { name: 'nested angle brackets', create: halves('<', '>') },
  { name: 'JSON lists', create: halves('[1,', ']') },
  { name: 'different words', create: (length) => listNumbers(length).join(' ') },
  { name: 'different cells', create: (length) => listNumbers(length).join(',') },
  { name: 'different lines', create: (length) => listNumbers(length).join('\n') },
  {
    name: 'different keys',
    create: (length) =>
      listNumbers(length)
        .map((key) => `${key}=1`)
        .join('&'),
  },
  { name: 'a quoted text without an end', create: (length) => `"${repeat('a,')(length)}` },
  { name: 'a link without an end', create: (length) => `<http://a.b/${repeat('a')(length)}` },
  { name: 'a long path', create: (length) => `https://a.b/${repeat('a/')(length)}` },
  { name: 'a long query', create: (length) => `https://a.b/?${repeat('a=b&')(length)}` },
];
