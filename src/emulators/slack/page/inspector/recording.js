/**
 * @import { PageState } from '../state.js'
 * @import { Store } from '../store.js'
 */

/** Stops the recording of this page. Undefined while the page isn't recording. */
let stopRecording = /** @type {(() => void) | undefined} */ (undefined);

/**
 * Records the workspace until {@link endRecording} is called. Resolves with the recording, or with undefined if
 * somebody else is recording.
 * @param {Store<PageState>} store
 * @returns {Promise<string | undefined>}
 */
export async function record(store) {
  const abort = new AbortController();
  const response = await fetch('/page/recording', { method: 'POST', signal: abort.signal });
  if (!response.ok || !response.body) return undefined;
  stopRecording = () => abort.abort();
  store.update((state) => ({ ...state, isRecording: true }));
  let text = '';
  try {
    for await (const chunk of readText(response.body)) text += chunk;
  } catch {
    // The recording or the workspace was stopped. The text up to then is a complete recording.
  }
  stopRecording = undefined;
  store.update((state) => ({ ...state, isRecording: false }));
  return text;
}

export function endRecording() {
  stopRecording?.();
}

/** @param {ReadableStream<Uint8Array>} body */
async function* readText(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/**
 * Replays a recording in the workspace. Resolves with the report for the person.
 * @param {Blob} recording
 * @returns {Promise<string>}
 */
export async function replay(recording) {
  const response = await fetch('/page/replay', { method: 'POST', body: recording });
  if (response.status === 413) return 'This recording is too large.';
  const { ok, text, line } = await response.json();
  return ok ? text : `This file isn’t a recording: line ${line} can’t be read.`;
}

/**
 * @param {string} text
 * @param {string} name
 */
export function saveFile(text, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
