import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Fault } from './faults.ts';

/**
 * Plants a fault in this process: the app's file is changed while it is loaded, and nothing is written. Throws when the file
 * is loaded if it doesn't have the sentence exactly once.
 */
export function plant(fault: Fault): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:') || !fileURLToPath(url).endsWith(`/src/${fault.file}`)) return loaded;
      return { ...loaded, source: change(String(loaded.source), fault) };
    },
  });
}

/** Changes the text of a file as a fault says. */
export function change(source: string, { file, from, to }: Pick<Fault, 'file' | 'from' | 'to'>): string {
  const [before, after, ...others] = source.split(from);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} should have this once: ${from}`);
  return `${before}${to}${after}`;
}
