import type { Mechanism } from '../plan.ts';
import type { Fault } from './faults.ts';

/** The mechanisms that the code of a folder is part of. The first folder that has a file counts. */
const FOLDERS: readonly (readonly [folder: string, mechanisms: readonly Mechanism[]])[] = [
  ['submissions', ['delivery', 'parts']],
  ['engine/sending-stop', ['stops']],
  ['engine/notifier', ['delivery', 'review', 'digests']],
  ['engine', ['instances']],
  ['held-posts/review', ['review']],
  ['held-posts/slots', ['slots']],
  ['held-posts/series', ['series']],
  ['held-posts/hand-over', ['delivery', 'parts']],
  ['held-posts/hold', ['drafts', 'imports']],
  ['held-posts', ['changes', 'review', 'people']],
  ['preferences/posting-times', ['slots']],
  ['imports', ['imports']],
  ['digests', ['digests']],
  ['app', ['recovery']],
  ['features', ['changes', 'review', 'parts']],
  ['media', ['changes', 'delivery']],
];

/** The mechanisms in which a planted fault is most likely seen, so that their seeds are tried first. */
export function findMechanisms({ file, mechanisms }: Fault): readonly Mechanism[] {
  return mechanisms ?? FOLDERS.find(([folder]) => file.startsWith(folder))?.[1] ?? [];
}
