import { z } from 'zod';
import { pageRequestSchema } from '../interactions/page-request-schema.ts';
import { Refusal } from '../refusal.ts';
import { savedSlack } from '../state/saved-slack.ts';

/** A recorded session as JSON lines: the workspace at the start, then what people did and what the app made of it. */

const start = z.object({
  type: z.literal('recording'),
  version: z.literal(1),
  /** ms since the epoch. */
  at: z.number(),
  /** Without files and tokens. */
  state: savedSlack,
});

/** Where something stood, because ids differ in the replay. */
const place = z.object({
  /** How many messages or modals were above it: 0 stands for the newest. */
  fromEnd: z.number(),
  /** Its own id, then those of its blocks and elements. */
  ids: z.array(z.string()),
});

const upload = z.object({ act: z.literal('upload'), name: z.string(), base64: z.string() });

/** What a person did. */
const deed = z.object({
  type: z.literal('deed'),
  /** From 1 on. */
  number: z.number(),
  at: z.number(),
  /** The position of the workspace among all workspaces. */
  team: z.number(),
  /** User id. */
  person: z.string(),
  request: z.union([pageRequestSchema, upload]),
  place: place.exactOptional(),
  result: z.unknown().optional(),
  /** Why the workspace refused it. */
  error: z.string().exactOptional(),
});

/** A request to the app, or a call by it. */
const traffic = z.object({
  type: z.enum(['to-app', 'from-app']),
  /** The number of the newest deed when it began. 0: before the first. */
  deed: z.number(),
  at: z.number(),
  /** The app's name. */
  app: z.string(),
  kind: z.string(),
  label: z.string(),
  payload: z.unknown(),
  answer: z.unknown().optional(),
  outcome: z.string(),
  reason: z.string().exactOptional(),
});

const line = z.discriminatedUnion('type', [start, deed, traffic]);

export type Place = z.infer<typeof place>;
export type Deed = z.infer<typeof deed>;
export type Upload = z.infer<typeof upload>;
export type RecordedTraffic = z.infer<typeof traffic>;
export type RecordingLine = z.infer<typeof line>;

export interface Recording {
  state: z.infer<typeof savedSlack>;
  /** In the order in which people began them. */
  deeds: Deed[];
  traffic: RecordedTraffic[];
}

/** Refuses with `invalid_recording` a text that isn't a recording. */
export function parseRecording(text: string): Recording {
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  const parsed = lines.map((each, index) => parseLine(each, index, index === lines.length - 1));
  const entries = parsed.filter((each) => each !== undefined);
  const [first] = entries;
  if (first?.type !== 'recording') throw new Refusal('invalid_recording', { line: 1 });
  return {
    state: first.state,
    deeds: entries.filter((entry) => entry.type === 'deed').toSorted((a, b) => a.number - b.number),
    traffic: entries.flatMap((entry) => (entry.type === 'recording' || entry.type === 'deed' ? [] : [entry])),
  };
}

/** A process that was killed leaves half of its last line. */
function parseLine(text: string, index: number, isLast: boolean): RecordingLine | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch (error) {
    if (isLast && index > 0 && error instanceof SyntaxError) return undefined;
    throw new Refusal('invalid_recording', { line: index + 1 });
  }
}
