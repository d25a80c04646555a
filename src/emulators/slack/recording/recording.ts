import { z } from 'zod';
import { pageRequestSchema } from '../interactions/page-request-schema.ts';
import { Refusal } from '../refusal.ts';
import { savedSlack } from '../state/saved-slack.ts';

/** A recorded session in JSON lines: the state at the start, then people's actions and the app's requests and calls. */

const header = z.object({
  type: z.literal('recording'),
  /** The version of the format. */
  version: z.literal(2),
  /** ms since the epoch. */
  at: z.number(),
  /** Without files and tokens. */
  state: savedSlack,
});

/** The position of a message or modal, by which a replay finds it in spite of its new id. */
const position = z.object({
  /** The number of newer messages or modals. */
  fromEnd: z.number(),
  /** The id of the message or modal, then those of its blocks and elements. */
  ids: z.array(z.string()),
});

const upload = z.object({ act: z.literal('upload'), name: z.string(), base64: z.string() });

/** An action of a person. */
const action = z.object({
  type: z.literal('action'),
  /** Counts from 1. */
  number: z.number(),
  at: z.number(),
  /** The index of the workspace. */
  team: z.number(),
  /** User id. */
  person: z.string(),
  request: z.union([pageRequestSchema, upload]),
  position: position.exactOptional(),
  result: z.unknown().optional(),
  /** The workspace's error if it refused the action. */
  error: z.string().exactOptional(),
});

/** A request to the app, or a call by it. */
const traffic = z.object({
  type: z.enum(['to-app', 'from-app']),
  /** The number of the last action before it. 0 before the first. */
  action: z.number(),
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

const line = z.discriminatedUnion('type', [header, action, traffic]);

export type ContainerPosition = z.infer<typeof position>;
export type Action = z.infer<typeof action>;
export type Upload = z.infer<typeof upload>;
export type RecordedTraffic = z.infer<typeof traffic>;
export type RecordingLine = z.infer<typeof line>;

export interface Recording {
  state: z.infer<typeof savedSlack>;
  /** In the order of their start. */
  actions: Action[];
  traffic: RecordedTraffic[];
}

/** Refuses invalid recordings with `invalid_recording`. */
export function parseRecording(text: string): Recording {
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  const parsed = lines.map((each, index) => parseLine(each, index, index === lines.length - 1));
  const entries = parsed.filter((each) => each !== undefined);
  const [first] = entries;
  if (first?.type !== 'recording') throw new Refusal('invalid_recording', { line: 1 });
  return {
    state: first.state,
    actions: entries.filter((entry) => entry.type === 'action').toSorted((a, b) => a.number - b.number),
    traffic: entries.flatMap((entry) =>
      entry.type === 'recording' || entry.type === 'action' ? [] : [entry],
    ),
  };
}

/** Ignores an incomplete last line, which a killed process leaves behind. */
function parseLine(text: string, index: number, isLast: boolean): RecordingLine | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch (error) {
    if (isLast && index > 0 && error instanceof SyntaxError) return undefined;
    throw new Refusal('invalid_recording', { line: index + 1 });
  }
}
