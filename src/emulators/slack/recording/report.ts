import type { Deed } from './recording.ts';

/** One thing that the app did differently, after a deed. */
export interface Difference {
  /** Such as `Ana: /schedule-post`. */
  after: string;
  change: 'missing' | 'extra' | 'changed' | 'refused';
  /** Such as `chat.postMessage`. */
  label: string;
  details: string[];
}

export interface ReplayReport {
  deeds: number;
  /** Requests and calls that came again, changed ones included. */
  matched: number;
  differences: Difference[];
}

/** Details of one difference. */
const MAX_DETAILS = 5;

const CHANGES: Record<Difference['change'], string> = {
  missing: 'missing',
  extra: 'new',
  changed: 'changed',
  refused: 'different',
};

/** What a person reads after a replay. */
export function reportText({ deeds, matched, differences }: ReplayReport): string {
  const actions = deeds === 1 ? '1 action' : `${deeds} actions`;
  const requests = matched === 1 ? '1 request or call' : `${matched} requests and calls`;
  const count = `${actions}, ${requests} as recorded`;
  if (differences.length === 0) return `${count}. Nothing differs.`;
  const lines = differences.map(({ after, change, label, details }) =>
    [
      `${after}: ${label} is ${CHANGES[change]}`,
      ...details.slice(0, MAX_DETAILS).map((detail) => `  ${detail}`),
      ...(details.length > MAX_DETAILS ? [`  and ${details.length - MAX_DETAILS} more`] : []),
    ].join('\n'),
  );
  const differ = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return [`${count}. ${differ}:`, ...lines].join('\n');
}

/** What a person did, in a few words. */
export function describeDeed({ request }: Deed): string {
  switch (request.act) {
    case 'command':
    case 'message':
      return request.text;
    case 'press':
      return `presses ${request.actionId}`;
    case 'options':
      return `searches ${request.actionId} for “${request.value}”`;
    case 'submit':
      return 'submits a form';
    case 'close':
      return 'closes a form';
    case 'react':
      return `reacts with :${request.name}:`;
    case 'shortcut':
      return `uses the shortcut ${request.callbackId}`;
    case 'upload':
      return `uploads ${request.name}`;
    default:
      return request.act;
  }
}
