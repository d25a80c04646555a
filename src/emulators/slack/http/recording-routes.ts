import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { answer, answerJson } from './answer.ts';
import { readBytes } from './read-body.ts';

/** More than the recording of a long day. */
const MAX_RECORDING_BYTES = 64 * 1024 * 1024;

/** `POST /page/recording`: streams a recording until the page closes the connection. */
export function serveRecording({ slack }: Site, response: ServerResponse): void {
  if (slack.recorder.isRecording) {
    answer(response, 409, 'Somebody is already recording.');
    return;
  }
  response.writeHead(200, {
    'Content-Type': 'application/jsonl; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  slack.recorder.start(slack, (line) => response.write(`${line}\n`));
  response.once('close', () => slack.recorder.stop());
}

/** `POST /page/replay`: replays the recording in the body. Answers with a report. */
export async function serveReplay(
  { slack }: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = (await readBytes(request, MAX_RECORDING_BYTES)).toString('utf8');
  const { parseRecording } = await import('../recording/recording.ts');
  const { replay } = await import('../recording/replay.ts');
  const { formatReport } = await import('../recording/report.ts');
  try {
    const report = await replay(slack, parseRecording(text));
    answerJson(response, 200, { ok: true, ...report, text: formatReport(report) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerJson(response, 400, { ok: false, error: error.code, ...error.details });
  }
}
