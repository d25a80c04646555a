import { MEDIA_TYPES, type MediaType } from '../posts/media-reference.ts';
import { joinWithAnd } from '../words.ts';
import { UnusableMedia } from './byte-input.ts';

/** How much of a file is looked at. An SVG may begin with long comments. */
export const SAMPLE_BYTES = 4_100;

/** How a kind of file begins, as Latin-1. */
interface Signature {
  start: string;
  /** Where it is. Defaults to the first byte. */
  at?: number;
  /** Something else that a file of this kind has near its beginning. */
  has?: string;
}

const TAKEN: readonly (Signature & { type: MediaType })[] = [
  { start: '\xff\xd8\xff', type: 'image/jpeg' },
  { start: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { start: 'GIF8', type: 'image/gif' },
  { start: 'WEBP', at: 8, type: 'image/webp' },
  ...['heic', 'heix', 'mif1'].map((brand) => ({
    ...{ start: `ftyp${brand}`, at: 4 },
    type: 'image/heic' as const,
  })),
  ...['ftypqt', 'free', 'mdat', 'moov', 'wide'].map((start) => ({
    ...{ start, at: 4 },
    type: 'video/quicktime' as const,
  })),
  // MP4 has many brands. Those of other kinds are below, and are looked for first.
  { start: 'ftyp', at: 4, type: 'video/mp4' },
];

/**
 * Other files that people try, with what people call them. This list is our own, because a library that knows more kinds
 * looks into archives, so that a few bytes can ask it for much work.
 */
const REFUSED: readonly (Signature & { name: string })[] = [
  { start: '\xff\xd8\xff\xf7', name: 'JPEG-LS' },
  { start: 'ftypavi', at: 4, name: 'AVIF' },
  ...['ftyphev', 'ftypmsf1'].map((start) => ({ start, at: 4, name: 'HEIC sequences' })),
  ...['ftypM4A', 'ftypM4B', 'ftypF4A', 'ftypF4B'].map((start) => ({ start, at: 4, name: 'M4A' })),
  { start: 'ftyp3g', at: 4, name: '3GP' },
  { start: 'ftypcrx', at: 4, name: 'CR3' },
  ...['II*\0', 'MM\0*'].map((start) => ({ start, name: 'TIFF' })),
  { start: 'BM', name: 'BMP' },
  { start: '\0\0\x01\0', name: 'ICO' },
  { start: '8BPS', name: 'PSD' },
  ...['\xff\x0a', '\0\0\0\x0cJXL '].map((start) => ({ start, name: 'JXL' })),
  { start: '\0\0\0\x0cjP  ', name: 'JP2' },
  { start: '\x1aE\xdf\xa3', has: 'webm', name: 'WEBM' },
  { start: '\x1aE\xdf\xa3', name: 'MKV' },
  { start: 'AVI ', at: 8, name: 'AVI' },
  { start: '0&\xb2u\x8ef\xcf\x11', name: 'WMV' },
  ...['\0\0\x01\xba', '\0\0\x01\xb3'].map((start) => ({ start, name: 'MPG' })),
  { start: 'FLV\x01', name: 'FLV' },
  ...['ID3', '\xff\xfb'].map((start) => ({ start, name: 'MP3' })),
  { start: 'WAVE', at: 8, name: 'WAV' },
  { start: 'OggS', name: 'OGG' },
  { start: 'fLaC', name: 'FLAC' },
  { start: '%PDF', name: 'PDF' },
  { start: '%!PS', name: 'PS' },
  ...['word/', 'xl/', 'ppt/'].map((has) => ({ start: 'PK\x03\x04', has, name: 'Office files' })),
  { start: '\xd0\xcf\x11\xe0', name: 'Office files' },
  { start: 'PK\x03\x04', name: 'ZIP' },
  { start: '\x1f\x8b', name: 'GZ' },
  { start: 'Rar!', name: 'RAR' },
  { start: '7z\xbc\xaf', name: '7Z' },
  { start: 'MZ', name: 'EXE' },
];

/** Finds out what a file is by its beginning. Throws UnusableMedia for one that isn't taken. */
export function detectType(sample: Buffer): MediaType {
  if (sample.length === 0) throw new UnusableMedia('This file is empty.');
  const text = sample.toString('latin1');
  const fits = ({ start, at = 0, has = '' }: Signature) => text.startsWith(start, at) && text.includes(has);
  const refused = REFUSED.find(fits)?.name;
  const type = TAKEN.find(fits)?.type;
  if (type && refused === undefined) return type;
  const name = refused ?? (/<svg[\s>]/i.test(text) ? 'SVG' : undefined);
  const problem = name === undefined ? 'I don’t know this kind of file.' : `I can’t take ${name}.`;
  const names = Object.values(MEDIA_TYPES).map(({ name }) => name);
  throw new UnusableMedia(`${problem} I take ${joinWithAnd(names)}.`);
}
