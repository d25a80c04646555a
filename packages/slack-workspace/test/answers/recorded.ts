import { readFileSync } from 'node:fs';

/** What Slack's answers and payloads look like. The file names its sources. */
interface Recorded {
  answers: Record<string, Record<string, unknown>>;
  events: Record<string, Record<string, unknown>>;
  paths: Record<string, string>;
}

const { answers, events, paths } = JSON.parse(
  readFileSync(new URL('recorded.json', import.meta.url), 'utf8'),
) as Recorded;

export const DOCUMENTED_ANSWERS = answers;
export const RECORDED_EVENTS = events;

/** The recordings that mix the keys of several payloads. */
function nameMixed(object: string): string {
  if (object.startsWith('block_actions ')) return 'mixed block_actions in ';
  return object === 'view_submission' ? 'mixed view_submission of ' : `mixed ${object}`;
}

/** The keys that were recorded of a payload, answer or part of one, each as `path kind`. */
export function findRecordedKeys(object: string): ReadonlySet<string> {
  const lines = [object, nameMixed(object)].flatMap((name) => paths[name]?.split('\n') ?? []);
  return new Set(
    lines.flatMap((line) => {
      const [path = '', kinds = ''] = line.split(' ');
      return kinds.split('|').map((kind) => `${path} ${kind}`);
    }),
  );
}
